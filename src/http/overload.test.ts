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
  const served = (count: number) => Array.from({ length: count }, () => isOverloaded()).filter((is) => !is).length;

  test('lets any number of requests in while the event loop comes round in time', () => {
    for (let round = 0; round < 3; round += 1) {
      expect(served(5000)).toBe(5000);
      now += 50;
      expect(served(5000)).toBe(5000);
      turn();
    }
  });

  test('refuses what comes late in a turn of the loop with many requests, and lets the next turn in', () => {
    expect(served(4000)).toBe(4000);
    now += 51;
    expect(served(100)).toBe(0);
    turn();
    expect(served(100)).toBe(100);
  });

  test('serves a burst, however long the processor was elsewhere', () => {
    isOverloaded();
    now += 5000;
    expect(served(3999)).toBe(3999);
  });

  test('asks for the end of a turn once, however many requests it has', () => {
    for (let request = 0; request < 10; request += 1) isOverloaded();
    expect(turns).toHaveLength(1);
  });

  test('refuses while many writes wait and the first has waited long', () => {
    [waiting, waitedMs] = [600, 51];
    expect(isOverloaded()).toBe(true);
    [waiting, waitedMs] = [600, 50];
    expect(isOverloaded()).toBe(false);
  });

  test('lets a few writers wait for a slow disk', () => {
    [waiting, waitedMs] = [511, 5000];
    expect(isOverloaded()).toBe(false);
  });

  test('refuses beyond the number that may wait, however quick they are', () => {
    [waiting, waitedMs] = [4000, 0];
    expect(isOverloaded()).toBe(true);
  });
});
