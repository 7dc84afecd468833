import { beforeEach, describe, expect, test } from 'bun:test';
import { createGate, type Gate } from './gate.ts';

let now: number;
let waiting: number;
let endTurn: () => void;
let gate: Gate;
beforeEach(() => {
  [now, waiting] = [0, 0];
  gate = createGate({
    backlog: {
      get pending() {
        return waiting;
      },
    },
    waitedMs: () => 0,
    maxWaiting: 4000,
    elapsed: () => now,
    processorMs: () => 0,
    forceProgress: () => undefined,
    nextTurn: (callback) => {
      endTurn = callback;
    },
    later: () => undefined,
  });
});
const see = (served: number, refused: number, ms = 5000) => {
  waiting = 0;
  for (let at = 0; at < served; at += 1) expect(gate.isOpen(now)).toBe(true);
  if (served > 0) endTurn();
  waiting = 4000;
  for (let at = 0; at < refused; at += 1) {
    expect(() => gate.wait({ name: 'a', isKnown: true, mayWrite: true })).toThrow('overloaded');
  }
  now += ms;
  return gate.isSheddingAll();
};

describe('the overload signal', () => {
  test('is on if fewer than one request in a hundred was served in five seconds', () => {
    expect(see(9, 1000)).toBe(true);
  });

  test('is off while one request in a hundred is served', () => {
    expect(see(10, 1000)).toBe(false);
  });

  test('is off if few requests were refused, or none arrived', () => {
    expect(see(0, 99)).toBe(false);
    expect(see(0, 0)).toBe(false);
  });

  test('does not change for the next five seconds', () => {
    expect(see(0, 1000, 4999)).toBe(false);
    expect(see(0, 0, 1)).toBe(true);
    expect(see(1000, 0, 4999)).toBe(true);
    expect(see(0, 0, 1)).toBe(false);
  });
});
