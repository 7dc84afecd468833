import { beforeEach, describe, expect, test } from 'bun:test';
import { createMonotonicClock, type MonotonicClock } from './clock.ts';

let machine: { clock: number; stopwatch: number };
let now: MonotonicClock;
beforeEach(() => {
  machine = { clock: 1_000_000, stopwatch: 5 };
  now = createMonotonicClock(
    () => machine.clock,
    () => machine.stopwatch,
  );
});

/** Time passes on the machine. */
const pass = (ms: number) => {
  machine.clock += ms;
  machine.stopwatch += ms;
};

describe('a monotonic clock', () => {
  test('shows what the clock of the machine shows', () => {
    expect(now()).toBe(1_000_000);
    pass(1234);
    expect([now(), now.aheadMs()]).toEqual([1_001_234, 0]);
  });

  test('follows a clock that is set forward', () => {
    now();
    machine.clock += 3_600_000;
    expect([now(), now.aheadMs()]).toEqual([4_600_000, 0]);
  });

  test('goes on at the same pace when the clock of the machine is set back', () => {
    now();
    machine.clock -= 500_000;
    expect([now(), now.aheadMs()]).toEqual([1_000_000, 500_000]);
    pass(0.75);
    expect(now()).toBe(1_000_000);
    pass(0.75);
    expect(now()).toBe(1_000_001);
    pass(60_000);
    expect(now()).toBe(1_060_001);
  });

  test('follows the clock of the machine again once that has caught up', () => {
    now();
    machine.clock -= 500_000;
    now();
    expect(now.isAhead()).toBe(true);
    machine.clock += 500_001;
    expect([now(), now.aheadMs(), now.isAhead()]).toEqual([1_000_001, 0, false]);
    machine.stopwatch += 1000;
    machine.clock -= 10;
    expect(now()).toBe(1_000_001);
  });

  test('is not behind a clock that ticks while it is asked', () => {
    let instant = 1_000_000;
    const ticking = createMonotonicClock(
      () => instant++,
      () => 0,
    );
    expect(ticking.aheadMs()).toBe(0);
  });

  test('is never earlier than an instant it was told of', () => {
    now.advanceTo(2_000_000);
    pass(10);
    expect(now.isAhead()).toBe(true);
    now.advanceTo(1_500_000);
    expect([now(), now.aheadMs()]).toEqual([2_000_010, 1_000_000]);
    pass(10);
    expect(now()).toBe(2_000_020);
  });
});
