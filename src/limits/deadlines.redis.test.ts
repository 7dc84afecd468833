import { expect, test } from 'bun:test';
import { createDeadlines } from './deadlines.redis.ts';

const late = (deadlines: ReturnType<typeof createDeadlines>) =>
  new Promise<number>((resolve) => {
    const began = performance.now();
    deadlines.watch(() => resolve(performance.now() - began));
  });

const hold = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('a call is late when its time is up, and so is one that began later', async () => {
  const deadlines = createDeadlines(50);
  const one = late(deadlines);
  await Bun.sleep(25);
  const waits = await Promise.all([one, late(deadlines)]);
  for (const waitedMs of waits) expect(waitedMs).toBeWithin(39, 500);
});

test('a call that was answered is not late', async () => {
  const deadlines = createDeadlines(20);
  let isLate = false;
  const isOver = deadlines.watch(() => {
    isLate = true;
  });
  isOver();
  await late(deadlines);
  expect(isLate).toBe(false);
});

test('a process that was held up itself does not hold a call for late before it has looked for the answer', async () => {
  const deadlines = createDeadlines(20);
  let isLate = false;
  const isOver = deadlines.watch(() => {
    isLate = true;
  });
  hold(100);
  await Bun.sleep(1);
  isOver();
  await late(deadlines);
  expect(isLate).toBe(false);
});

test('a process that is held up again and again gives a call more time, but not without end', async () => {
  const deadlines = createDeadlines(20);
  let isLate = false;
  const isOver = deadlines.watch(() => {
    isLate = true;
  });
  const holdOften = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      hold(20);
      await Bun.sleep(1);
    }
  };
  await holdOften(10);
  expect(isLate).toBe(false);
  await holdOften(60);
  expect(isLate).toBe(true);
  isOver();
});
