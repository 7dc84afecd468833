import { beforeEach, describe, expect, test } from 'bun:test';
import { createOverload } from './overload.ts';

let now: number;
let waiting: number;
let waitedMs: number;
let turns: (() => void)[];
let isOverloaded: () => boolean;
beforeEach(() => {
  now = 1000;
  waiting = 0;
  waitedMs = 0;
  turns = [];
  isOverloaded = createOverload({
    waiting: () => waiting,
    waitedMs: () => waitedMs,
    mostWaiting: 4000,
    elapsed: () => now,
    nextTurn: (callback) => turns.push(callback),
  });
});

const turn = () => {
  for (const callback of turns.splice(0)) callback();
};

describe('the service', () => {
  test('lets requests in while the event loop comes round in time', () => {
    for (let request = 0; request < 100; request += 1) {
      now += 40;
      expect(isOverloaded()).toBe(false);
      turn();
    }
  });

  test('refuses what comes late in a turn of the loop, and lets the next turn in', () => {
    expect(isOverloaded()).toBe(false);
    now += 50;
    expect(isOverloaded()).toBe(false);
    now += 1;
    expect(isOverloaded()).toBe(true);
    turn();
    expect(isOverloaded()).toBe(false);
  });

  test('asks for the end of a turn once, however many requests it has', () => {
    for (let request = 0; request < 10; request += 1) isOverloaded();
    expect(turns).toHaveLength(1);
  });

  test('refuses while many writes wait and the first has waited long', () => {
    [waiting, waitedMs] = [300, 51];
    expect(isOverloaded()).toBe(true);
    [waiting, waitedMs] = [300, 50];
    expect(isOverloaded()).toBe(false);
  });

  test('lets a few writers wait for a slow disk', () => {
    [waiting, waitedMs] = [255, 5000];
    expect(isOverloaded()).toBe(false);
  });

  test('refuses beyond the number that may wait, however quick they are', () => {
    [waiting, waitedMs] = [4000, 0];
    expect(isOverloaded()).toBe(true);
  });
});
