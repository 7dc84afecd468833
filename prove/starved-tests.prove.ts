import { expect } from 'bun:test';
import { ROOT } from '../test/documents.ts';
import { LONG, proof } from './proof.ts';

const BATCHES = 2;
const RUNS = 5;
const LOOPS = 2;

const plainEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TEST|PROVE|JEST)_/.test(name)));

const runTests = async (): Promise<{ exitCode: number; counts: string }> => {
  const command = ['npm', 'test', '--silent', '--', '--busy', String(LOOPS)];
  const child = Bun.spawn(command, { cwd: ROOT, env: plainEnvironment(), stdin: 'ignore', stdout: 'pipe', stderr: 1 });
  const said = await new Response(child.stdout).text();
  const exitCode = await child.exited;
  if (exitCode !== 0) console.log(said);
  return { exitCode, counts: /\d+ passed, \d+ failed.*/.exec(said)?.[0] ?? said.slice(-2000) };
};

const SIDE_BY_SIDE = `${RUNS} runs alongside ${RUNS * LOOPS} busy loops`;

if (LONG) {
  for (let batch = 1; batch <= BATCHES; batch += 1) {
    proof(`\`npm test\` passes in each of ${SIDE_BY_SIDE}, batch ${batch} of ${BATCHES}`, async ({ figure }) => {
      const runs = await Promise.all(Array.from({ length: RUNS }, runTests));
      for (const { counts } of runs) figure(counts);
      expect(runs.map(({ exitCode }) => exitCode)).toEqual(Array(RUNS).fill(0));
    });
  }
} else {
  proof(`\`npm test\` passes in every run: ${BATCHES} batches of ${SIDE_BY_SIDE}`, async ({ open }) =>
    open('takes more than an hour: npm run prove -- --long --only=starved-tests'),
  );
}
