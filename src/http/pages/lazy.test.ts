import { expect, test } from 'bun:test';
import { lazy } from './lazy.ts';

test('a lazy value is created once, even for concurrent callers', async () => {
  let count = 0;
  const value = lazy(async () => {
    count += 1;
    return { count };
  });
  expect(count).toBe(0);
  const [first, second] = await Promise.all([value(), value()]);
  expect(first).toEqual({ count: 1 });
  expect(second).toBe(first);
  expect(await value()).toBe(first);
});

test('a failure rejects all waiting callers, and the next call tries again', async () => {
  let isBroken = true;
  const value = lazy(async () => {
    if (isBroken) throw new Error('too many open files');
    return 'made';
  });
  const waiting = Promise.allSettled([value(), value()]);
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await value()).toBe('made');
});
