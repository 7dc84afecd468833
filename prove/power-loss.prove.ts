import { afterAll, expect } from 'bun:test';
import { failAtEverySync } from '../test/power-failure.ts';
import { createWorkbench } from '../test/program.ts';
import { LONG, proof } from './proof.ts';

const POINTS = LONG ? 1000 : 200;

const bench = createWorkbench();
afterAll(bench.clear);

proof(
  `a loss of power at each of ${POINTS} syncs loses nothing that was acknowledged, and leaves the file whole`,
  async ({ figure }) => {
    const seen = await failAtEverySync({ directory: bench.directory(), writes: POINTS + 50 });
    figure(`${seen.lost} of ${seen.acknowledged} lost and ${seen.corrupt} files corrupt at ${seen.points} points`);
    expect([seen.lost, seen.corrupt]).toEqual([0, 0]);
    expect(seen.points).toBeGreaterThanOrEqual(POINTS);
  },
);

proof('the same is seen to lose something if answers do not wait until the disk has it', async ({ figure }) => {
  const { lost, points } = await failAtEverySync({ directory: bench.directory(), writes: 50, isLying: true });
  figure(`${lost} times something lost at ${points} points`);
  expect(lost).toBeGreaterThan(0);
});
