import { expect, test } from 'bun:test';
import { createDeadlines } from './deadlines.redis.ts';

const late = (deadlines: ReturnType<typeof createDeadlines>) =>
  new Promise<number>((resolve) => {
    const began = performance.now();
    deadlines.watch(() => resolve(performance.now() - began));
  });

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
  const until = performance.now() + 100;
  while (performance.now() < until);
  await Bun.sleep(1);
  isOver();
  await late(deadlines);
  expect(isLate).toBe(false);
});
