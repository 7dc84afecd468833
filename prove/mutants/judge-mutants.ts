import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { AREAS, SENDING } from './areas.ts';
import { type Copies, canSeal, type Ran, runUnchanged, type Tests } from './copies.ts';
import { EQUIVALENTS, type Equivalent } from './equivalents.ts';
import { type Mutant, mutantsOf } from './mutate.ts';

/** What differs on another engine is no part of most rules: PostgreSQL is there for tests that can do nothing without it. */
const ON_SQLITE = { TEST_DATABASE_URL: undefined };

const testsOf = (file: string, named: readonly string[]): string[] => {
  const own = file.replace(/\.ts$/, '.test.ts');
  return named.includes(own) || !existsSync(join(ROOT, own)) ? [...named] : [own, ...named];
};

/** The mutant that an entry is about, if there is one. */
export const isAbout = (mutant: Mutant, { file, on, change, nth = 1 }: Equivalent): boolean =>
  mutant.file === file && mutant.on === on && mutant.change === change && mutant.nth === nth;

const isEquivalent = (mutant: Mutant): boolean => EQUIVALENTS.some((known) => isAbout(mutant, known));

/** A mutant that ought to be noticed, and the tests that ought to. */
type Asked = { mutant: Mutant; files: string[] };

export const findMutants = (area: string): Asked[] =>
  Object.entries(AREAS[area] ?? {}).flatMap(([file, named]) =>
    mutantsOf(file, readFileSync(join(ROOT, file), 'utf8'))
      .filter((mutant) => !isEquivalent(mutant))
      .map((mutant) => ({ mutant, files: testsOf(file, named) })),
  );

/** So many of them, chosen by the seed: a different one begins elsewhere, and the same one chooses the same. */
export const choose = <Item>(items: readonly Item[], count: number, seed: number): Item[] => {
  if (count >= items.length) return [...items];
  const step = items.length / count;
  const offset = (seed * 0.618_033_988_75) % 1;
  return Array.from({ length: count }, (_, index) => items[Math.floor((index + offset) * step)] as Item);
};

/** How much longer a test may take with a change than without it before it is taken to hang. */
const PATIENCE = { times: 5, leastMs: 5000 };

const patienceWith = (ms: number): number => Math.max(PATIENCE.leastMs, Math.round(PATIENCE.times * ms));

/** What noticed a mutant, and whether by hanging; or that it was not asked, because something is missing here. */
type Noticed = { by: string; isLate: boolean } | 'not asked';

/** How a file of tests is run, and how long it takes on the code as it is. */
type Known = { environment: Record<string, undefined>; ms: number };

/** Judges mutants in copies. A test that fails on the code as it is notices nothing, so that each is run there first. */
export const createJudge = (copies: Copies) => {
  const runs = new Map<string, Promise<Known | undefined>>();

  /** Undefined if all of them are skipped, also with the servers of the run. */
  const tryOut = async (tests: Tests): Promise<Known | undefined> => {
    for (const environment of [ON_SQLITE, {}]) {
      const { failed, passed, ms } = await runUnchanged(copies, tests, { environment });
      if (failed !== undefined) throw new Error(`${tests.file} fails without any change: ${failed}`);
      if (passed > 0) return { environment, ms };
    }
    return undefined;
  };

  const know = (tests: Tests): Promise<Known | undefined> => {
    const name = JSON.stringify(tests);
    const known = runs.get(name) ?? tryOut(tests);
    runs.set(name, known);
    return known;
  };

  const run = async (tests: Tests, mutant: Mutant): Promise<Ran | undefined> => {
    const known = await know(tests);
    if (!known) return undefined;
    const mostMs = patienceWith(known.ms);
    const ran = await copies.use((copy) => copy.run(tests, mutant, { mostMs, environment: known.environment }));
    if (!ran.isLate) return ran;
    // Others may have taken the machine since: then it is no wonder that it is late.
    runs.delete(JSON.stringify(tests));
    return patienceWith((await know(tests))?.ms ?? 0) > mostMs ? run(tests, mutant) : ran;
  };

  const judge = async ({ mutant, files }: Asked): Promise<Noticed | undefined> => {
    const isSealed = SENDING.includes(mutant.file);
    if (isSealed && !canSeal()) return 'not asked';
    let isAsked = true;
    for (const file of files) {
      const ran = await run({ file, isSealed }, mutant);
      if (ran?.failed !== undefined) return { by: ran.failed, isLate: ran.isLate };
      isAsked &&= ran !== undefined;
    }
    return isAsked ? undefined : 'not asked';
  };

  /** Once more if nobody has noticed it: a property may have tried no case in which it shows. */
  return async (asked: Asked) => (await judge(asked)) ?? judge(asked);
};
