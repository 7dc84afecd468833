import { beforeEach, describe, expect, test } from 'bun:test';
import { createMonotonicClock, lastBeginning, type Tally } from './window.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = 100 * DAY;

let machine: { clock: number; stopwatch: number };
let monotonic: ReturnType<typeof createMonotonicClock>;
beforeEach(() => {
  machine = { clock: 1_000_000, stopwatch: 5 };
  monotonic = createMonotonicClock(
    () => machine.clock,
    () => machine.stopwatch,
  );
});

const pass = (ms: number) => {
  machine.clock += ms;
  machine.stopwatch += ms;
};

describe('a monotonic clock', () => {
  test('shows the time of the system clock', () => {
    expect(monotonic.now()).toBe(1_000_000);
    pass(1234);
    expect([monotonic.now(), monotonic.aheadMs()]).toEqual([1_001_234, 0]);
  });

  test('follows a clock that is set forward', () => {
    monotonic.now();
    machine.clock += 3_600_000;
    expect([monotonic.now(), monotonic.aheadMs()]).toEqual([4_600_000, 0]);
  });

  test('continues at the same rate when the system clock is set back', () => {
    monotonic.now();
    machine.clock -= 500_000;
    expect([monotonic.now(), monotonic.aheadMs()]).toEqual([1_000_000, 500_000]);
    pass(0.75);
    expect(monotonic.now()).toBe(1_000_000);
    pass(0.75);
    expect(monotonic.now()).toBe(1_000_001);
    pass(60_000);
    expect(monotonic.now()).toBe(1_060_001);
  });

  test('follows the system clock again once that has caught up', () => {
    monotonic.now();
    machine.clock -= 500_000;
    monotonic.now();
    expect(monotonic.isAhead).toBe(true);
    machine.clock += 500_001;
    expect([monotonic.now(), monotonic.aheadMs(), monotonic.isAhead]).toEqual([1_000_001, 0, false]);
    machine.stopwatch += 1000;
    machine.clock -= 10;
    expect(monotonic.now()).toBe(1_000_001);
  });

  test('is not behind a clock that ticks between readings', () => {
    let instant = 1_000_000;
    const ticking = createMonotonicClock(
      () => instant++,
      () => 0,
    );
    expect(ticking.aheadMs()).toBe(0);
  });

  test('is never earlier than the time it was advanced to', () => {
    monotonic.advanceTo(2_000_000);
    pass(10);
    expect(monotonic.isAhead).toBe(true);
    monotonic.advanceTo(1_500_000);
    expect([monotonic.now(), monotonic.aheadMs()]).toEqual([2_000_010, 1_000_000]);
    pass(10);
    expect(monotonic.now()).toBe(2_000_020);
  });
});

describe('the latest stored start', () => {
  test.each<[string, Tally]>([
    ['a minute', { windows: { minute: { used: 1, until: NOW + MINUTE } } }],
    ['a day', { windows: { day: { used: 1, until: NOW + DAY } } }],
    ['counted refusals', { windows: {}, refusals: { used: 1, until: NOW + MINUTE } }],
    ['a ban', { windows: {}, ban: { bannedAt: NOW, until: NOW + 1, forgottenAt: NOW + DAY } }],
  ])('is that of %s', (_, tally) => {
    const earlier: Tally = { windows: { minute: { used: 1, until: NOW + MINUTE - 1 } } };
    const tallies = new Map([
      ['earlier', earlier],
      ['latest', tally],
      ['earlier still', earlier],
    ]);
    expect(lastBeginning(tallies)).toBe(NOW);
  });

  test('is earlier than any time if nothing is stored', () => {
    expect(lastBeginning(new Map())).toBe(Number.NEGATIVE_INFINITY);
  });
});
