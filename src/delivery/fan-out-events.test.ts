import { expect, test } from 'bun:test';
import { fanOutEvents } from './fan-out-events.ts';

const WEBHOOKS_PER_COMMIT = 20;
const EVENTS_PER_COMMIT = 50;

/** Each count is the number of new events for one webhook. */
const fanOut = (counts: number[]) => {
  let next = 0;
  const lagging = counts.map((_, index) => ({ storeId: 1n, webhookId: `wh_${index}` }));
  return fanOutEvents({ queue: { lagging: async () => lagging }, write: async () => counts[next++] as never })(1n);
};

test.each([
  ['there were no new events', [], false],
  ['each webhook had fewer than one transaction takes', [3, EVENTS_PER_COMMIT - 1], false],
  ['one webhook had as many as one transaction takes', [3, EVENTS_PER_COMMIT], true],
  ['there may be more webhooks', Array(WEBHOOKS_PER_COMMIT).fill(1), true],
  [
    'there may be more webhooks, but others have already fanned out to all of these',
    Array(WEBHOOKS_PER_COMMIT).fill(0),
    false,
  ],
] as [string, number[], boolean][])(
  'fanning out events returns whether more may be left when %s',
  async (_, counts, isMore) => {
    expect(await fanOut(counts)).toBe(isMore);
  },
);
