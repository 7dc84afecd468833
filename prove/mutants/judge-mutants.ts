import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { AREAS } from './areas.ts';
import type { Copies, Ran } from './copies.ts';
import { EQUIVALENTS, type Equivalent } from './equivalents.ts';
import { type Mutant, mutantsOf } from './mutate.ts';

/** Only SQLite: what differs on another engine is no part of these rules. */
const ON_SQLITE = { TEST_DATABASE_URL: undefined, TEST_REDIS_URL: undefined };

const testsOf = (file: string, named: readonly string[]): string[] => {
  const own = file.replace(/\.ts$/, '.test.ts');
  return named.includes(own) || !existsSync(join(ROOT, own)) ? [...named] : [own, ...named];
};

/** The mutant that an entry is about, if there is one. */
export const isAbout = (mutant: Mutant, { file, on, change, nth = 1 }: Equivalent): boolean =>
  mutant.file === file && mutant.on === on && mutant.change === change && mutant.nth === nth;

const isEquivalent = (mutant: Mutant): boolean => EQUIVALENTS.some((known) => isAbout(mutant, known));

/** The mutants of an area that ought to be noticed, each with the tests that ought to. */
export const findMutants = (area: string): { mutant: Mutant; files: string[] }[] =>
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

/** What noticed a mutant, and whether by hanging. */
type Noticed = { by: string; isLate: boolean };

/** Judges mutants in copies. A test that fails on the code as it is notices nothing, so that each is run there first. */
export const createJudge = (copies: Copies) => {
  const unchanged = new Map<string, Promise<Ran>>();
  const runUnchanged = (file: string): Promise<Ran> => {
    const ran = unchanged.get(file) ?? copies.use((copy) => copy.run({ file }, undefined, { environment: ON_SQLITE }));
    unchanged.set(file, ran);
    return ran;
  };
  /** Once more if it fails: what is asked is whether the mutant is noticed, not whether the machine is quiet. */
  const patienceFor = async (file: string, isAgain = false): Promise<number> => {
    const { failed, ms } = await runUnchanged(file);
    if (failed === undefined) return patienceWith(ms);
    if (isAgain) throw new Error(`${file} fails without any change: ${failed}`);
    unchanged.delete(file);
    return patienceFor(file, true);
  };

  const run = async (file: string, mutant: Mutant): Promise<Ran> => {
    const mostMs = await patienceFor(file);
    const ran = await copies.use((copy) => copy.run({ file }, mutant, { mostMs, environment: ON_SQLITE }));
    if (!ran.isLate) return ran;
    // Others may have taken the machine since: then it is no wonder that it is late.
    unchanged.delete(file);
    return (await patienceFor(file)) > mostMs ? run(file, mutant) : ran;
  };

  return async ({ mutant, files }: { mutant: Mutant; files: string[] }): Promise<Noticed | undefined> => {
    for (const file of files) {
      const { failed, isLate } = await run(file, mutant);
      if (failed !== undefined) return { by: failed, isLate };
    }
    return undefined;
  };
};
