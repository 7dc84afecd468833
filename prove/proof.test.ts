import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProofReport } from './proof.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const tell = async (text: string): Promise<ProofReport[]> => {
  const [file, report] = [join(directory, 'some.test.ts'), join(directory, 'reports')];
  const imported = JSON.stringify(join(import.meta.dir, 'proof.ts'));
  writeFileSync(file, `import { proof } from ${imported};\n${text}`);
  rmSync(report, { force: true });
  const env = { ...process.env, PROVE_REPORT: report, PROVE_DEADLINE_MS: '200' };
  await Bun.spawn([process.execPath, 'test', '--timeout=600000', file], { env, stdout: 'ignore', stderr: 'ignore' })
    .exited;
  return readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

test('a proof that hangs is reported by its title, and the next proofs still run', async () => {
  const hangs = `proof('hangs', async ({ figure }) => { figure('begun'); await new Promise(() => undefined); });`;
  const [first, second] = await tell(`${hangs}\nproof('holds', async () => undefined);`);
  expect(first).toEqual({ sentence: 'hangs', isFailed: true, figures: ['begun', expect.any(String)], times: [] });
  expect(first?.figures[1]).toStartWith('it is still running after 0 s');
  expect(second).toMatchObject({ sentence: 'holds', isFailed: false });
});

test('a proof that fails gives the reason in its row', async () => {
  const [seen] = await tell(`proof('fails', async () => { throw new Error('3 rows are lost\\nand more'); });`);
  expect(seen).toEqual({ sentence: 'fails', isFailed: true, figures: ['3 rows are lost'], times: [] });
});
