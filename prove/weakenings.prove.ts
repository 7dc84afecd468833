import { afterAll, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../check/root.ts';
import { openCopies } from './mutants/copies.ts';
import { WEAKENINGS, type Weakening } from './mutants/weakenings.ts';
import { proof } from './proof.ts';

const copies = openCopies();
afterAll(copies.close);

const weaken = ({ name, file, before, after }: Weakening): string => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (text.split(before).length !== 2) {
    throw new Error(`prove/mutants/weakenings.ts: what "${name}" takes the place of is not once in ${file}`);
  }
  return text.replace(before, () => after);
};

/** What caught it says nothing unless it passes without the weakening. */
const tryOne = async (weakening: Weakening) => {
  const changed = { file: weakening.file, text: weaken(weakening) };
  return copies.use(async (copy) => ({
    without: await copy.run(weakening.caughtBy),
    weakened: await copy.run(weakening.caughtBy, changed),
  }));
};

const tried = WEAKENINGS.map((weakening) => {
  const outcome = tryOne(weakening);
  // Each is heard of when its turn comes.
  outcome.catch(() => undefined);
  return { weakening, outcome };
});

for (const { weakening, outcome } of tried) {
  proof(`it is seen if there is: ${weakening.name}`, async ({ figure }) => {
    const { without, weakened } = await outcome;
    figure(
      weakened.failed === undefined
        ? `not caught by ${weakening.caughtBy.file}`
        : `caught by "${weakened.failed}" of ${weakening.caughtBy.file}`,
    );
    expect([without.failed, without.passed]).toEqual([undefined, 1]);
    expect(weakened.failed).toEndWith(weakening.caughtBy.named);
  });
}
