import { describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { createLane } from './host-budget.ts';

const start = (limits = { perSecond: 20, atOnce: 16 }) => {
  const clock = createTestClock();
  return { clock, lane: createLane(limits, clock) };
};

/** Starts and ends as many as the lane lets it. */
const runAll = (lane: ReturnType<typeof start>['lane'], storeId = 1n, look = 1): number => {
  let started = 0;
  while (lane.ask(storeId, look)) {
    lane.begin(storeId)();
    started += 1;
  }
  return started;
};

describe('a lane', () => {
  test('lets 20 start in any second, and never more', () => {
    const { clock, lane } = start();
    const starts: number[] = [];
    for (let elapsedMs = 0; elapsedMs <= 10_000; elapsedMs += 7) {
      for (let count = runAll(lane); count > 0; count -= 1) starts.push(elapsedMs);
      clock.advance(7);
    }
    for (const from of starts) {
      expect(starts.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(20);
    }
    expect(starts.length).toBeGreaterThanOrEqual(180);
  });

  test('lets as many start at once as the second takes, and spreads those that queue', () => {
    const { clock, lane } = start();
    expect(runAll(lane)).toBe(20);
    clock.advance(1100);
    const perStep = Array.from({ length: 10 }, () => {
      const started = runAll(lane);
      clock.advance(40);
      return started;
    });
    expect(perStep).toEqual(Array(10).fill(1));
    clock.advance(3000);
    expect(runAll(lane)).toBe(20);
  });

  test('gives a store as many places as it leaves free, and everyone else one', () => {
    const { lane } = start({ perSecond: 100, atOnce: 16 });
    const taken = [1n, 2n, 3n, 4n, 5n].map((storeId) => {
      let count = 0;
      // Who waits with a place free comes first, so that nobody waits here.
      while (lane.ask(storeId, 1)) {
        lane.begin(storeId);
        count += 1;
      }
      lane.endLook(undefined, 2);
      return count;
    });
    expect(taken).toEqual([8, 4, 2, 1, 1]);
    expect(lane.ask(6n, 2)).toBeFalse();
  });

  test('lets the stores that wait take turns, however much one of them has to send', () => {
    const { clock, lane } = start({ perSecond: 1, atOnce: 16 });
    const begun: bigint[] = [];
    for (let look = 1; look <= 200; look += 1) {
      for (const storeId of [1n, 1n, 1n, 2n, 3n]) {
        if (!lane.ask(storeId, look)) continue;
        begun.push(storeId);
        lane.begin(storeId)();
      }
      clock.advance(250);
    }
    const shares = [1n, 2n, 3n].map((storeId) => begun.filter((one) => one === storeId).length);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2);
  });

  test('does not keep anybody waiting for a store that has nothing to send any more', () => {
    const { clock, lane } = start({ perSecond: 1, atOnce: 16 });
    lane.begin(1n)();
    expect([lane.ask(2n, 1), lane.ask(3n, 1)]).toEqual([false, false]);
    clock.advance(1100);
    expect(lane.next()).toEqual({ storeId: 2n, inMs: 0 });
    expect(lane.ask(3n, 2)).toBeFalse();
    lane.endLook(2n, 3);
    expect(lane.next()).toEqual({ storeId: 3n, inMs: 0 });
    expect(lane.ask(3n, 4)).toBeTrue();
  });

  test('passes over a store that has all its places, and says when the next one comes', () => {
    const { clock, lane } = start({ perSecond: 3, atOnce: 4 });
    lane.begin(1n);
    lane.begin(1n);
    expect(lane.ask(1n, 1)).toBeFalse();
    expect(lane.next()).toBeUndefined();
    expect(lane.ask(2n, 1)).toBeTrue();
    lane.begin(2n)();
    clock.advance(400);
    expect(lane.ask(2n, 1)).toBeFalse();
    expect(lane.next()).toEqual({ storeId: 2n, inMs: 700 });
  });
});
