import { beforeEach, describe, expect, test } from 'bun:test';
import { createTestMachine } from '../../test/clock.ts';
import { createClockGuard, type TrustedClock } from './runtime.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let machine: ReturnType<typeof createTestMachine>;
let jumps: number[];
let trustedNow: TrustedClock;
beforeEach(() => {
  machine = createTestMachine();
  machine.pass(DAY_MS);
  jumps = [];
  trustedNow = createClockGuard({ ...machine, jumped: (byMs) => jumps.push(byMs) });
});

describe('a clock', () => {
  test('is trusted an hour after the start, to the millisecond', () => {
    expect(trustedNow()).toBeUndefined();
    machine.pass(HOUR_MS - 1);
    expect(trustedNow()).toBeUndefined();
    machine.pass(1);
    expect(trustedNow()).toBe(machine.clock());
    machine.pass(400 * DAY_MS);
    expect(trustedNow()).toBe(machine.clock());
    expect(jumps).toEqual([]);
  });

  test.each([5001, -5001, DAY_MS, -DAY_MS, 2000 * DAY_MS])('that is set by %i ms is trusted an hour later', (byMs) => {
    machine.pass(HOUR_MS);
    expect(trustedNow()).toBeDefined();
    machine.setClock(byMs);
    expect(trustedNow()).toBeUndefined();
    machine.pass(HOUR_MS - 1);
    expect(trustedNow()).toBeUndefined();
    machine.pass(1);
    expect(trustedNow()).toBe(machine.clock());
    expect(jumps).toEqual([byMs]);
  });

  test('that is set forward and back again is untrusted for an hour each time', () => {
    machine.pass(HOUR_MS);
    machine.setClock(DAY_MS);
    expect(trustedNow()).toBeUndefined();
    machine.pass(HOUR_MS / 2);
    machine.setClock(-DAY_MS);
    expect(trustedNow()).toBeUndefined();
    machine.pass(HOUR_MS - 1);
    expect(trustedNow()).toBeUndefined();
    expect(jumps).toEqual([DAY_MS, -DAY_MS]);
  });

  test.each([5000, -5000])('that is slewed by %i ms in every hour stays trusted', (byMs) => {
    machine.pass(HOUR_MS);
    for (let hour = 0; hour < 100; hour += 1) {
      expect(trustedNow()).toBe(machine.clock());
      machine.setClock(byMs);
      machine.pass(HOUR_MS);
    }
    expect(jumps).toEqual([]);
  });

  test('that drifts by more than the tolerance within an hour is not trusted, however small the steps are', () => {
    machine.pass(HOUR_MS);
    for (let second = 0; second < 6; second += 1) {
      expect(trustedNow()).toBeDefined();
      machine.setClock(1000);
      machine.pass(1000);
    }
    expect(trustedNow()).toBeUndefined();
    expect(jumps).toEqual([6000]);
  });
});
