import { describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { createHostBudget, hostAndPort } from './host-budget.ts';

const start = (limits = { perSecond: 20, atOnce: 16 }) => {
  const clock = createTestClock();
  return { clock, budget: createHostBudget(limits, clock) };
};

type Budget = ReturnType<typeof createHostBudget>;

const runOne = (budget: Budget, storeId: bigint): void => {
  budget.begin(storeId);
  budget.end(storeId);
};

const runAll = (budget: Budget, storeId = 1n): number => {
  let started = 0;
  while (budget.requestStart(storeId)) {
    runOne(budget, storeId);
    started += 1;
  }
  return started;
};

describe('a host budget', () => {
  test('allows at most 20 starts in any second', () => {
    const { clock, budget } = start();
    const starts: number[] = [];
    for (let elapsedMs = 0; elapsedMs <= 10_000; elapsedMs += 7) {
      for (let count = runAll(budget); count > 0; count -= 1) starts.push(elapsedMs);
      clock.advance(7);
    }
    for (const from of starts) {
      expect(starts.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(20);
    }
    expect(starts.length).toBeGreaterThanOrEqual(180);
  });

  test('allows 20 starts at the same time, and spreads out queued ones', () => {
    const { clock, budget } = start();
    expect(runAll(budget)).toBe(20);
    clock.advance(1100);
    const perStep = Array.from({ length: 10 }, () => {
      const started = runAll(budget);
      clock.advance(40);
      return started;
    });
    expect(perStep).toEqual(Array(10).fill(1));
    clock.advance(3000);
    expect(runAll(budget)).toBe(20);
  });

  test('gives a store as many slots as it leaves free, and every other store one', () => {
    const { budget } = start({ perSecond: 100, atOnce: 16 });
    const taken = [1n, 2n, 3n, 4n, 5n].map((storeId) => {
      let count = 0;
      // No store may be waiting at this point, because a waiting store would get the next free slot.
      while (budget.requestStart(storeId)) {
        budget.begin(storeId);
        count += 1;
      }
      budget.endPass(undefined);
      budget.endPass(undefined);
      return count;
    });
    expect(taken).toEqual([8, 4, 2, 1, 1]);
    expect(budget.requestStart(6n)).toBeFalse();
  });

  test('lets waiting stores take turns, however much one of them has to send', () => {
    const { clock, budget } = start({ perSecond: 1, atOnce: 16 });
    const begun: bigint[] = [];
    for (let pass = 1; pass <= 200; pass += 1) {
      for (const storeId of [1n, 1n, 1n, 2n, 3n]) {
        if (!budget.requestStart(storeId)) continue;
        begun.push(storeId);
        runOne(budget, storeId);
      }
      clock.advance(250);
    }
    const shares = [1n, 2n, 3n].map((storeId) => begun.filter((one) => one === storeId).length);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2);
  });

  test('does not wait for a store that has nothing left to send', () => {
    const { clock, budget } = start({ perSecond: 1, atOnce: 16 });
    runOne(budget, 1n);
    expect([budget.requestStart(2n), budget.requestStart(3n)]).toEqual([false, false]);
    budget.endPass(undefined);
    clock.advance(1100);
    expect(budget.next()).toEqual({ storeId: 2n, inMs: 0 });
    expect(budget.requestStart(3n)).toBeFalse();
    budget.endPass(2n);
    expect(budget.next()).toEqual({ storeId: 3n, inMs: 0 });
    expect(budget.requestStart(3n)).toBeTrue();
  });

  test('skips a store that uses all its slots, and returns the wait for the next one', () => {
    const { clock, budget } = start({ perSecond: 3, atOnce: 4 });
    budget.begin(1n);
    budget.begin(1n);
    expect(budget.requestStart(1n)).toBeFalse();
    expect(budget.next()).toBeUndefined();
    expect(budget.requestStart(2n)).toBeTrue();
    runOne(budget, 2n);
    clock.advance(400);
    expect(budget.requestStart(2n)).toBeFalse();
    expect(budget.next()).toEqual({ storeId: 2n, inMs: 700 });
  });
});

describe('hostAndPort', () => {
  const spellings: [string, string][] = [
    ['https://hooks.example/a?b=c', 'hooks.example:443'],
    ['https://HOOKS.Example/', 'hooks.example:443'],
    ['https://hooks.example./', 'hooks.example:443'],
    ['https://hooks.example:443/', 'hooks.example:443'],
    ['https://hooks.example:0443/', 'hooks.example:443'],
    ['http://hooks.example:443/', 'hooks.example:443'],
    ['http://hooks.example/', 'hooks.example:80'],
    ['https://hooks.example:8443/', 'hooks.example:8443'],
    ['https://bücher.example/', 'xn--bcher-kva.example:443'],
    ['https://b%C3%BCcher.example/', 'xn--bcher-kva.example:443'],
    ['https://0x8.8.8.8/', '8.8.8.8:443'],
    ['https://134744072/', '8.8.8.8:443'],
    ['https://[2001:0DB8::0:1]/', '[2001:db8::1]:443'],
  ];
  test.each(spellings)('of %s is %s', (url, name) => {
    expect(hostAndPort(url)).toBe(name);
  });
});
