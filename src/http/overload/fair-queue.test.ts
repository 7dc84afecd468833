import { beforeEach, describe, expect, test } from 'bun:test';
import { createFairQueue } from './fair-queue.ts';

let queue: ReturnType<typeof createFairQueue<string>>;
beforeEach(() => {
  queue = createFairQueue();
});
const add = (name: string, count: number, now = 0) => {
  for (let at = 1; at <= count; at += 1) queue.add(name, `${name}${at}`, now);
};
const rest = () => Array.from({ length: queue.size() }, () => queue.next());

describe('a fair queue', () => {
  test('alternates between clients, first in first out for each, however much each has sent', () => {
    add('a', 4);
    add('b', 1);
    add('c', 2);
    expect(rest()).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
    expect(queue.next()).toBeUndefined();
  });

  test('makes a new client wait for at most one item of each other client', () => {
    add('a', 100);
    add('b', 100);
    queue.next();
    add('c', 1);
    expect([queue.next(), queue.next(), queue.next()]).toEqual(['b1', 'a2', 'c1']);
  });

  test('counts its items', () => {
    add('a', 3);
    queue.next();
    expect(queue.size()).toBe(2);
    rest();
    expect(queue.size()).toBe(0);
  });

  describe('when more items wait than allowed', () => {
    test('drops late items of clients with more than an even share, oldest first', () => {
      add('many', 10, 1);
      add('few', 2, 1);
      expect(queue.takeLate(2, 8)).toEqual(['many1', 'many2', 'many3', 'many4']);
      expect(rest()).toEqual(['many5', 'few1', 'many6', 'few2', 'many7', 'many8', 'many9', 'many10']);
    });

    test('drops no item of a client with less than an even share, even if the item is older', () => {
      add('few', 2, 1);
      add('many', 10, 1);
      expect(queue.takeLate(2, 8)).toEqual(['many1', 'many2', 'many3', 'many4']);
    });

    test('drops no item that has not waited long enough', () => {
      add('many', 3, 1);
      add('many', 7, 5);
      expect(queue.takeLate(5, 2)).toEqual(['many1', 'many2', 'many3']);
      expect(queue.takeLate(5, 2)).toEqual([]);
    });

    test('drops the oldest items if each client has sent only one', () => {
      for (const name of ['a', 'b', 'c', 'd']) add(name, 1);
      expect(queue.takeLate(1, 2)).toEqual(['a1', 'b1']);
    });
  });

  test('drops nothing while no more items wait than allowed', () => {
    add('many', 8);
    expect(queue.takeLate(1, 8)).toEqual([]);
  });
});
