import { afterAll, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../check/root.ts';
import { openCopies, type Ran, runUnchanged } from './mutants/copies.ts';
import { WEAKENINGS, type Weakening } from './mutants/weakenings.ts';
import { proof } from './proof.ts';

const copies = openCopies();
afterAll(copies.close);

const weaken = ({ name, file, before, after }: Weakening): string => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (text.split(before).length !== 2) {
    throw new Error(
      `prove/mutants/weakenings.ts: the text that "${name}" replaces does not occur exactly once in ${file}`,
    );
  }
  return text.replace(before, () => after);
};

const how = { maxMs: 300_000, environment: { PROVE_BRIEF: 'true' } };

const without = new Map<string, Promise<Ran>>();
const runWithout = (tests: Weakening['caughtBy']): Promise<Ran> => {
  const name = JSON.stringify(tests);
  const known = without.get(name) ?? runUnchanged(copies, tests, how);
  without.set(name, known);
  return known;
};

const tryOne = async (weakening: Weakening) => {
  const changed = { file: weakening.file, text: weaken(weakening) };
  const [whole, weakened] = await Promise.all([
    runWithout(weakening.caughtBy),
    copies.use((copy) => copy.run(weakening.caughtBy, changed, how)),
  ]);
  return { whole, weakened };
};

const tried = WEAKENINGS.map((weakening) => {
  const outcome = tryOne(weakening);
  outcome.catch(() => undefined);
  return { weakening, outcome };
});

for (const { weakening, outcome } of tried) {
  proof(`a proof or test detects: ${weakening.name}`, async ({ figure }) => {
    const { whole, weakened } = await outcome;
    figure(
      weakened.failed === undefined
        ? `not caught by ${weakening.caughtBy.file}`
        : `caught by "${weakened.failed}" in ${weakening.caughtBy.file}`,
    );
    expect([whole.failed, whole.passed]).toEqual([undefined, 1]);
    expect(weakened.failed).toEndWith(weakening.caughtBy.named);
  });
}
