import { afterAll, expect } from 'bun:test';
import { AREAS } from './mutants/areas.ts';
import { openCopies } from './mutants/copies.ts';
import { choose, createJudge, findMutants } from './mutants/judge-mutants.ts';
import { LONG, proof } from './proof.ts';

/** So many of all areas together in a short run, which a developer waits for. */
const SHORT = 60;
/** Another one chooses others. */
const SEED = Number(process.env.PROVE_SEED ?? 1);

const copies = openCopies();
afterAll(copies.close);
const judge = createJudge(copies);

const areas = Object.keys(AREAS).map((area) => ({ area, mutants: findMutants(area) }));
const total = areas.reduce((sum, { mutants }) => sum + mutants.length, 0);

for (const { area, mutants } of areas) {
  proof(`the tests notice every mutant of the rules of ${area}`, async ({ figure }) => {
    const chosen = LONG ? mutants : choose(mutants, Math.round((SHORT * mutants.length) / total), SEED);
    const judged = await Promise.all(chosen.map(async (one) => ({ ...one.mutant, noticed: await judge(one) })));
    const late = judged.filter(({ noticed }) => noticed?.isLate).length;
    const survivors = judged
      .filter(({ noticed }) => !noticed)
      .map(({ file, line, change }) => `${file}:${line}: ${change}`);
    figure(`${chosen.length - survivors.length} of ${chosen.length} noticed, ${late} of them by hanging`);
    figure(LONG ? 'all there are' : `chosen by seed ${SEED} from ${mutants.length}`);
    for (const survivor of survivors) figure(`survived: ${survivor}`);
    expect(survivors).toEqual([]);
  });
}
