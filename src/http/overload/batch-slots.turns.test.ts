import { beforeEach, expect, test } from 'bun:test';
import { createTurns } from './batch-slots.ts';

/** An event loop and a clock that the test moves. */
let scheduled: (() => void)[];
let now: number;
let done: string[];
let turnsOf: ReturnType<typeof createTurns>;
beforeEach(() => {
  [scheduled, now, done] = [[], 0, []];
  turnsOf = createTurns(
    () => now,
    (run) => scheduled.push(run),
  );
});

const comeRound = async () => {
  for (const run of scheduled.splice(0)) run();
  for (let settled = 0; settled < 20; settled += 1) await Promise.resolve();
  return done.splice(0);
};

/** Work of `count` steps, each of which takes `ms`. */
function* steps(name: string, count: number, ms: number): Generator<void, string> {
  for (let step = 1; step <= count; step += 1) {
    now += ms;
    done.push(`${name}${step}`);
    yield;
  }
  return name;
}

test('one batch continues in each turn, and the callers take turns', async () => {
  const [a, b] = ['a', 'b'];
  const all = [
    turnsOf(a).finish(steps('a', 2, 5)),
    turnsOf(a).finish(steps('A', 2, 5)),
    turnsOf(b).finish(steps('b', 2, 5)),
  ];
  const turns: string[][] = [];
  while (scheduled.length > 0) turns.push(await comeRound());
  expect(turns.flat()).toEqual(['a1', 'b1', 'A1', 'b2', 'a2', 'A2']);
  expect(turns.every((turn) => turn.length <= 1)).toBeTrue();
  expect(await Promise.all(all)).toEqual(['a', 'A', 'b']);
});

test('a batch takes steps for half a millisecond, and continues in the next turn', async () => {
  const finished = turnsOf('a').finish(steps('a', 5, 0.2));
  expect(await comeRound()).toEqual(['a1', 'a2', 'a3']);
  expect(await comeRound()).toEqual(['a4', 'a5']);
  expect(await finished).toBe('a');
});

test('a turn ends half a millisecond after it began, even if its batch has done nothing', async () => {
  const turns = turnsOf('a');
  const next = turns.next();
  await comeRound();
  await next;
  now += 0.5;
  const finished = turns.finish(steps('a', 1, 0));
  expect(done).toEqual([]);
  expect(await comeRound()).toEqual(['a1']);
  expect(await finished).toBe('a');
});

test('a step that fails ends the batch, and the others go on', async () => {
  // biome-ignore lint/correctness/useYield: it fails before it could.
  const failing = (function* (): Generator<void, never> {
    throw new Error('no');
  })();
  const failed = turnsOf('a')
    .finish(failing)
    .catch(({ message }) => message);
  const finished = turnsOf('b').finish(steps('b', 1, 0));
  while (scheduled.length > 0) await comeRound();
  expect(await failed).toBe('no');
  expect(await finished).toBe('b');
});
