import { describe, expect, test } from 'bun:test';
import { sampleEvent } from '../../test/sample-event.ts';
import { encodeBatch } from './stream.ts';

const ids = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

describe('an encoded batch', () => {
  const events = [sampleEvent(1), sampleEvent(2, 'key.created'), sampleEvent(3, 'webhook.created')];
  const textOf = (chunk: Uint8Array | undefined) => new TextDecoder().decode(chunk);

  test('has a chunk for operators, who may see key and webhook changes, and one for others', () => {
    const { chunks, position, mayBeMore } = encodeBatch(events, { after: 0n, most: 3 });
    expect(ids(textOf(chunks.operators))).toEqual([1, 2, 3]);
    expect(ids(textOf(chunks.others))).toEqual([1]);
    expect([position, mayBeMore]).toEqual([3n, true]);
  });

  test('hides key and webhook changes of types that only a newer version knows', () => {
    const newer = { ...sampleEvent(1, 'key.created'), type: 'key.suspended' as 'key.created' };
    expect(encodeBatch([newer], { after: 0n, most: 3 }).chunks.others).toBeUndefined();
  });

  test('has the same chunk for all if nothing is hidden', () => {
    const { chunks } = encodeBatch([sampleEvent(1)], { after: 0n, most: 3 });
    expect(chunks.others).toBe(chunks.operators as Uint8Array);
  });

  test('has no chunk for others if everything is hidden, and still advances the position', () => {
    const { chunks, position } = encodeBatch(events.slice(1), { after: 1n, most: 3 });
    expect([chunks.others, position]).toEqual([undefined, 3n]);
    expect(encodeBatch([], { after: 7n, most: 3 })).toEqual({
      chunks: { operators: undefined, others: undefined },
      position: 7n,
      mayBeMore: false,
    });
  });
});
