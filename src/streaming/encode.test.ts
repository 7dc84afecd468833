import { describe, expect, test } from 'bun:test';
import { sampleEvent } from '../../test/sample-event.ts';
import { encodeBatch } from './encode.ts';

const ids = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

describe('a portion of events', () => {
  const events = [sampleEvent(1), sampleEvent(2, 'key.created'), sampleEvent(3, 'webhook.created')];
  const textOf = (chunk: Uint8Array | undefined) => new TextDecoder().decode(chunk);

  test('is encoded for those who may see changes of keys and webhooks, and for those who may not', () => {
    const { chunks, position, mayBeMore } = encodeBatch(events, { after: 0n, most: 3 });
    expect(ids(textOf(chunks.operators))).toEqual([1, 2, 3]);
    expect(ids(textOf(chunks.others))).toEqual([1]);
    expect([position, mayBeMore]).toEqual([3n, true]);
  });

  test('is encoded once for all where nothing is hidden', () => {
    const { chunks } = encodeBatch([sampleEvent(1)], { after: 0n, most: 3 });
    expect(chunks.others).toBe(chunks.operators as Uint8Array);
  });

  test('shows nothing where all is hidden, and is gone past all the same', () => {
    const { chunks, position } = encodeBatch(events.slice(1), { after: 1n, most: 3 });
    expect([chunks.others, position]).toEqual([undefined, 3n]);
    expect(encodeBatch([], { after: 7n, most: 3 })).toEqual({
      chunks: { operators: undefined, others: undefined },
      position: 7n,
      mayBeMore: false,
    });
  });
});
