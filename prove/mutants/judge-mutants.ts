import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { AREAS, SENDING } from './areas.ts';
import { type Copies, canSeal, type Ran, runUnchanged, type Tests } from './copies.ts';
import { EQUIVALENTS, type Equivalent } from './equivalents.ts';
import { type Mutant, mutantsOf } from './mutate.ts';
import { OUTSIDE } from './outside/outside.ts';
import type { BrokenRules } from './outside/rule.ts';

const ON_SQLITE = { TEST_DATABASE_URL: undefined };

const testsOf = (file: string, named: readonly string[]): string[] => {
  const own = file.replace(/\.ts$/, '.test.ts');
  return named.includes(own) || !existsSync(join(ROOT, own)) ? [...named] : [own, ...named];
};

export const isAbout = (mutant: Mutant, { file, on, change, nth = 1 }: Equivalent): boolean =>
  mutant.file === file && mutant.on === on && mutant.change === change && mutant.nth === nth;

const isEquivalent = (mutant: Mutant): boolean => EQUIVALENTS.some((known) => isAbout(mutant, known));

type Asked = { mutant: Mutant; files: string[] };

const readSource = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const brokenIn = ({ file, tests, changes }: BrokenRules): Asked[] => {
  const source = readSource(file);
  return changes.map(([change, before, after]) => {
    const [start = '', end, ...others] = source.split(before);
    if (end === undefined || others.length > 0)
      throw new Error(`the text that "${change}" replaces does not occur exactly once in ${file}`);
    const line = start.split('\n').length;
    return { mutant: { file, line, on: before, change, nth: 1, text: start + after + end }, files: [...tests] };
  });
};

export const ALL_AREAS: readonly string[] = [...new Set([...Object.keys(AREAS), ...Object.keys(OUTSIDE)])];

export const findMutants = (area: string): Asked[] => [
  ...Object.entries(AREAS[area] ?? {}).flatMap(([file, named]) =>
    mutantsOf(file, readSource(file))
      .filter((mutant) => !isEquivalent(mutant))
      .map((mutant) => ({ mutant, files: testsOf(file, named) })),
  ),
  ...(OUTSIDE[area] ?? []).flatMap(brokenIn),
];

export const choose = <Item>(items: readonly Item[], count: number, seed: number): Item[] => {
  if (count >= items.length) return [...items];
  const step = items.length / count;
  const offset = (seed * 0.618_033_988_75) % 1;
  return Array.from({ length: count }, (_, index) => items[Math.floor((index + offset) * step)] as Item);
};

const PATIENCE = { times: 5, leastMs: 5000 };

const patienceWith = (ms: number): number => Math.max(PATIENCE.leastMs, Math.round(PATIENCE.times * ms));

type Noticed = { by: string; isLate: boolean } | 'not asked';

type Known = { environment: Record<string, undefined>; ms: number };

/** Runs each test on unchanged code first. A test that fails even on unchanged code cannot detect a mutant. */
export const createJudge = (copies: Copies) => {
  const runs = new Map<string, Promise<Known | undefined>>();

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
    const maxMs = patienceWith(known.ms);
    const ran = await copies.use((copy) => copy.run(tests, mutant, { maxMs, environment: known.environment }));
    if (!ran.isLate) return ran;
    runs.delete(JSON.stringify(tests));
    return patienceWith((await know(tests))?.ms ?? 0) > maxMs ? run(tests, mutant) : ran;
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

  /** If no test detects a mutant, runs the tests a second time, because property tests choose their cases at random. */
  return async (asked: Asked) => (await judge(asked)) ?? judge(asked);
};
