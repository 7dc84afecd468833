import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import type { RequestContext } from '../context.ts';
import { createSpans } from './spans.ts';

const collector = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Promise<never>(() => undefined),
});
afterAll(() => collector.stop(true));

const context = {
  trace: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: undefined, flags: '01' },
  request: new Request('http://127.0.0.1/v1/pets'),
  requestId: 'req_1',
} as RequestContext;

describe('spans for a collector that does not respond', () => {
  let waits: { callback(): void; ms: number }[];
  let warnings: [string, unknown][];
  let spans: ReturnType<typeof createSpans>;
  beforeEach(() => {
    [waits, warnings] = [[], []];
    spans = createSpans({
      endpoint: `http://127.0.0.1:${collector.port}`,
      headers: {},
      version: '1',
      clock: Date.now,
      later: (callback, ms) => waits.push({ callback, ms }),
      log: { warn: (event, fields) => warnings.push([event, fields]) },
    });
  });
  const giveUp = (index: number) => waits[index]?.callback();

  test('are dropped together, and the log counts all of them', async () => {
    for (let count = 0; count < 1000; count += 1) spans.answered(context, 200, 1);
    const flushed = spans.flush();
    expect(waits.map(({ ms }) => ms)).toEqual([5000]);
    giveUp(0);
    await flushed;
    expect(warnings).toEqual([['spans_not_sent', { count: 1000, error: 'Error: the collector timed out' }]]);
  });

  test('are dropped quickly once the service is about to stop, both those in flight and the last ones', async () => {
    spans.answered(context, 200, 1);
    const underWay = spans.flush();
    spans.hurry();
    giveUp(1);
    await underWay;
    spans.answered(context, 200, 1);
    const last = spans.flush();
    giveUp(2);
    await last;
    expect(waits.map(({ ms }) => ms)).toEqual([5000, 500, 500]);
    expect(warnings).toHaveLength(2);
  });

  test('beyond the queue limit are dropped and counted', async () => {
    for (let count = 0; count < 5000; count += 1) spans.answered(context, 200, 1);
    const flushed = spans.flush();
    giveUp(0);
    await flushed;
    expect(warnings[0]).toEqual(['spans_dropped', { count: 5000 - 4096 }]);
  });
});
