import { afterAll, expect } from 'bun:test';
import { availableParallelism } from 'node:os';
import { openCopies } from './mutants/copies.ts';
import { ALL_AREAS, choose, createJudge, findMutants } from './mutants/judge-mutants.ts';
import type { Mutant } from './mutants/mutate.ts';
import { LONG, proof } from './proof.ts';
import { createSeeded } from './seeded.ts';

const SHORT = 24;
const SHORT_MS = 25_000;
const SEED = Number(process.env.PROVE_SEED ?? 1);

const CONCURRENCY = Math.min(4, availableParallelism());
const copies = openCopies(CONCURRENCY);
afterAll(copies.close);
const judge = createJudge(copies);

const areas = ALL_AREAS.map((area) => ({ area, mutants: findMutants(area) }));
const total = areas.reduce((sum, { mutants }) => sum + mutants.length, 0);

const judgeInTime = async (chosen: ReturnType<typeof findMutants>, maxMs: number) => {
  const endsAt = performance.now() + maxMs;
  const waiting = createSeeded(SEED).shuffled(chosen);
  const judged: (Mutant & { noticed: Awaited<ReturnType<typeof judge>> })[] = [];
  const judgeSome = async (): Promise<void> => {
    do {
      const next = waiting.shift();
      if (!next) return;
      judged.push({ ...next.mutant, noticed: await judge(next) });
    } while (performance.now() < endsAt);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, judgeSome));
  return judged;
};

for (const { area, mutants } of areas) {
  proof(`the tests detect every mutant of the rules for ${area}`, async ({ figure }) => {
    const share = Math.max(1, Math.round((SHORT * mutants.length) / total));
    const chosen = LONG ? mutants : choose(mutants, share, SEED);
    const judged = await judgeInTime(chosen, LONG ? Number.POSITIVE_INFINITY : (SHORT_MS * chosen.length) / SHORT);
    const asked = judged.filter(({ noticed }) => noticed !== 'not asked');
    const late = asked.filter(({ noticed }) => typeof noticed === 'object' && noticed.isLate).length;
    const survivors = asked
      .filter(({ noticed }) => !noticed)
      .map(({ file, line, change }) => `${file}:${line}: ${change}`);
    figure(`${asked.length - survivors.length} of ${asked.length} detected, ${late} of them by a timeout`);
    const left = judged.length - asked.length;
    if (left > 0) figure(`${left} not run: their tests need tools that are not installed`);
    figure(LONG ? 'all mutants' : `chosen by seed ${SEED} from ${mutants.length}`);
    for (const survivor of survivors) figure(`survived: ${survivor}`);
    expect(survivors).toEqual([]);
  });
}
