import { beforeEach, expect, test } from 'bun:test';
import { createTimeSlices } from './batch-slots.ts';

let scheduled: (() => void)[];
let now: number;
let done: string[];
let slicesOf: ReturnType<typeof createTimeSlices>;
beforeEach(() => {
  [scheduled, now, done] = [[], 0, []];
  slicesOf = createTimeSlices(
    () => now,
    (run) => scheduled.push(run),
  );
});

const runTurn = async () => {
  for (const run of scheduled.splice(0)) run();
  for (let settled = 0; settled < 20; settled += 1) await Promise.resolve();
  return done.splice(0);
};

function* steps(name: string, count: number, ms: number): Generator<void, string> {
  for (let step = 1; step <= count; step += 1) {
    now += ms;
    done.push(`${name}${step}`);
    yield;
  }
  return name;
}

test('one batch gets a slice in each turn of the event loop, and callers alternate', async () => {
  const [a, b] = ['a', 'b'];
  const all = [
    slicesOf(a).finish(steps('a', 2, 5)),
    slicesOf(a).finish(steps('A', 2, 5)),
    slicesOf(b).finish(steps('b', 2, 5)),
  ];
  const turns: string[][] = [];
  while (scheduled.length > 0) turns.push(await runTurn());
  expect(turns.flat()).toEqual(['a1', 'b1', 'A1', 'b2', 'a2', 'A2']);
  expect(turns.every((turn) => turn.length <= 1)).toBeTrue();
  expect(await Promise.all(all)).toEqual(['a', 'A', 'b']);
});

test('a batch works for half a millisecond and continues in the next turn', async () => {
  const finished = slicesOf('a').finish(steps('a', 5, 0.2));
  expect(await runTurn()).toEqual(['a1', 'a2', 'a3']);
  expect(await runTurn()).toEqual(['a4', 'a5']);
  expect(await finished).toBe('a');
});

test('a slice ends half a millisecond after it began, even if its batch has done nothing', async () => {
  const slices = slicesOf('a');
  const next = slices.next();
  await runTurn();
  await next;
  now += 0.5;
  const finished = slices.finish(steps('a', 1, 0));
  expect(done).toEqual([]);
  expect(await runTurn()).toEqual(['a1']);
  expect(await finished).toBe('a');
});

test('a failed step ends its batch, and other batches continue', async () => {
  // biome-ignore lint/correctness/useYield: the generator throws before its first yield.
  const failing = (function* (): Generator<void, never> {
    throw new Error('no');
  })();
  const failed = slicesOf('a')
    .finish(failing)
    .catch(({ message }) => message);
  const finished = slicesOf('b').finish(steps('b', 1, 0));
  while (scheduled.length > 0) await runTurn();
  expect(await failed).toBe('no');
  expect(await finished).toBe('b');
});
