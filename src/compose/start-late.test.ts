import { expect, test } from 'bun:test';
import { startLate } from './start-late.ts';

test('a dispatcher that cannot be made is told of, tried again by the next who wakes it, and is no reason not to stop', async () => {
  const told: unknown[] = [];
  let isBroken = true;
  const dispatcher = { wake: (storeId?: bigint) => told.push(storeId), stop: async () => void told.push('stopped') };
  const late = startLate(
    async () => {
      if (isBroken) throw new Error('too many open files');
      return dispatcher;
    },
    (error) => told.push(String(error)),
  );
  late.wake(1n);
  late.wake(2n);
  await late.stop();
  expect(told).toEqual(['Error: too many open files']);
  isBroken = false;
  late.wake();
  late.wake(3n);
  await late.stop();
  expect(told.slice(1)).toEqual([undefined, 3n, 'stopped']);
});
