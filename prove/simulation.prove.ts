import { afterAll, expect } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeRunDirectory } from '../test/run-directory.ts';
import { LONG, proof } from './proof.ts';
import type { Asked, Ran } from './simulation/run-seeds.ts';
import { WEAKENINGS } from './simulation/weakenings.ts';

/** Number of simulations. Their seeds are 1, 2, 3 and so on, so each run repeats the same simulations. */
const SEEDS = LONG ? 10_000 : 200;
/**
 * Maximum number of simulations per process. Simulated processes that are killed leave their files open, so more
 * simulations could use up the file descriptors.
 */
const SEEDS_PER_PROCESS = 100;
const SEEDS_TO_FIND = 60;
const SEED = process.env.PROVE_SEED === undefined ? undefined : Number(process.env.PROVE_SEED);

const directory = makeRunDirectory();
afterAll(() => rmSync(directory, { recursive: true }));

const run = async (asked: Omit<Asked, 'directory'>): Promise<Ran> => {
  const place = mkdtempSync(join(directory, 'seeds-'));
  const command = [process.execPath, join(import.meta.dir, 'simulation', 'run-seeds.ts')];
  const running = Bun.spawn([...command, JSON.stringify({ ...asked, directory: place })], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const seen = await new Response(running.stdout).text();
  expect(await running.exited).toBe(0);
  rmSync(place, { recursive: true });
  return JSON.parse(seen);
};

const add = (all: Ran, { violation, ...more }: Ran): Ran => {
  const names = new Set([...Object.keys(all.faults), ...Object.keys(more.faults)]);
  const faults = [...names].map((name) => [name, (all.faults[name] ?? 0) + (more.faults[name] ?? 0)] as const);
  return {
    seeds: all.seeds + more.seeds,
    steps: all.steps + more.steps,
    attempts: all.attempts + more.attempts,
    acknowledged: all.acknowledged + more.acknowledged,
    processorSeconds: all.processorSeconds + more.processorSeconds,
    faults: Object.fromEntries(faults),
    digest: all.digest + more.digest,
    ...(violation && { violation }),
  };
};

const runAll = async (first: number, count: number): Promise<Ran> => {
  let all = await run({ first, count: Math.min(count, SEEDS_PER_PROCESS) });
  for (let done = SEEDS_PER_PROCESS; done < count && !all.violation; done += SEEDS_PER_PROCESS) {
    all = add(all, await run({ first: first + done, count: Math.min(count - done, SEEDS_PER_PROCESS) }));
  }
  return all;
};

const show = (count: number): string => count.toLocaleString('en-US');

proof(
  SEED === undefined
    ? `none of ${show(SEEDS)} seeds breaks a promise about group commit, sequence numbers, the leader or webhooks`
    : `seed ${SEED} breaks no promise about group commit, sequence numbers, the leader or webhooks`,
  async ({ figure }) => {
    const all = SEED === undefined ? await runAll(1, SEEDS) : await run({ first: SEED, count: 1 });
    const { violation, seeds, steps, acknowledged, attempts, faults } = all;
    figure(`${show(seeds)} seeds, ${show(steps)} steps, ${show(Math.round(all.processorSeconds))} s of processor time`);
    figure(`${show(acknowledged)} writes acknowledged, ${show(attempts)} webhooks sent`);
    const kinds = Object.entries(faults).sort(([, one], [, other]) => other - one);
    figure(kinds.map(([name, times]) => `${name}: ${show(times)}`).join('; '));
    if (!violation) return;
    for (const step of violation.lastSteps) console.log(step);
    const again = `npm run prove -- --only=simulation --seed=${violation.seed}`;
    throw new Error(`seed ${violation.seed}: ${violation.sentence} (again with ${again})`);
  },
);

if (SEED === undefined) {
  proof('the same seed always gives the same run', async ({ figure }) => {
    const [one, other] = [await run({ first: 1, count: 10 }), await run({ first: 1, count: 10 })];
    expect([other.digest, other.steps]).toEqual([one.digest, one.steps]);
    figure(`10 seeds, ${show(one.steps)} steps, identical in two runs`);
  });

  for (const { name } of WEAKENINGS) {
    proof(`the simulation finds a failing seed if ${name}`, async ({ figure }) => {
      const { violation } = await run({ first: 1, count: SEEDS_TO_FIND, weakening: name });
      expect(violation).toBeDefined();
      figure(`seed ${violation?.seed}: ${violation?.sentence}`);
    });
  }
}
