import { expect, test } from 'bun:test';
import { createSemaphore } from './semaphore.ts';

test('no more run at a time than there are places, in the order in which they came, whatever becomes of them', async () => {
  const inPlace = createSemaphore(2);
  const ran: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const ended = [0, 1, 2, 3].map((number) => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return inPlace(() => {
      ran.push(number);
      return end.promise;
    }).catch(() => 'failed');
  });
  expect(ran).toEqual([0, 1]);
  ends[1]?.reject(new Error('on purpose'));
  expect(await ended[1]).toBe('failed');
  expect(ran).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  await Promise.all(ended);
  expect(ran).toEqual([0, 1, 2, 3]);
  await inPlace(async () => ran.push(4));
  expect(ran).toEqual([0, 1, 2, 3, 4]);
});
