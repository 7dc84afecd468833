import { expect } from 'bun:test';
import { ROOT } from '../test/documents.ts';
import { LONG, proof } from './proof.ts';

const RUNS = 10;
const LOOPS = 8;

/** As a developer runs them: with servers of their own, and nothing of this run. */
const plainEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TEST|PROVE|JEST)_/.test(name)));

const runTests = async (): Promise<{ exitCode: number; counts: string }> => {
  const command = ['npm', 'test', '--silent', '--', '--busy', String(LOOPS)];
  const child = Bun.spawn(command, { cwd: ROOT, env: plainEnvironment(), stdin: 'ignore', stdout: 'pipe', stderr: 1 });
  const said = await new Response(child.stdout).text();
  return { exitCode: await child.exited, counts: /\d+ passed, \d+ failed.*/.exec(said)?.[0] ?? said.slice(-2000) };
};

if (LONG) {
  for (let run = 1; run <= RUNS; run += 1) {
    proof(`\`npm test\` is green beside ${LOOPS} busy loops, run ${run} of ${RUNS}`, async ({ figure }) => {
      const { exitCode, counts } = await runTests();
      figure(counts);
      expect(exitCode).toBe(0);
    });
  }
} else {
  proof(`\`npm test\` is green beside ${LOOPS} busy loops, ${RUNS} times of ${RUNS}`, async ({ open }) =>
    open('it takes hours: npm run prove -- --long --only=starved-tests'),
  );
}
