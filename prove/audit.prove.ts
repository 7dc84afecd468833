import { afterAll, expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/documents.ts';
import { createWorkbench } from '../test/program.ts';
import { proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

/**
 * This version of lodash has well-known advisories. If the registry reports no advisory for this version, the registry
 * has no advisory data at all.
 */
const KNOWN_BAD = { name: 'lodash', version: '4.17.4' };

type Vulnerability = { name: string; severity: string; range: string };
type Report =
  | { auditReportVersion: number; vulnerabilities: Record<string, Vulnerability> }
  | { auditReportVersion?: undefined; statusCode?: number; error?: { code?: string } };

const audit = async (directory: string): Promise<{ found: string[] } | { why: string }> => {
  const command = ['npm', 'audit', '--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=10000'];
  const child = Bun.spawn(command, { cwd: directory, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
  const report = (await new Response(child.stdout).json()) as Report;
  if (report.auditReportVersion === undefined)
    return { why: `${report.statusCode ?? report.error?.code ?? 'no answer'}` };
  return {
    found: Object.values(report.vulnerabilities).map(({ name, severity, range }) => `${name} ${range}: ${severity}`),
  };
};

const makeKnownBad = (): string => {
  const directory = bench.directory();
  const { name, version } = KNOWN_BAD;
  const root = { name: 'known-bad', version: '1.0.0', dependencies: { [name]: version } };
  const packages = { '': root, [`node_modules/${name}`]: { version } };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(root));
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ ...root, lockfileVersion: 3, packages }));
  return directory;
};

proof('npm reports no known vulnerability in the packages in the lock file', async ({ figure, open }) => {
  const [control, own] = await Promise.all([audit(makeKnownBad()), audit(ROOT)]);
  for (const asked of [control, own]) {
    if ('why' in asked)
      return open(`the registry provides no advisories (${asked.why}): run \`npm audit\` with a registry that does`);
  }
  const known = 'found' in control ? control.found.length : 0;
  if (known === 0) return open('the registry has no advisories: run `npm audit` with a registry that has them');
  expect(own).toEqual({ found: [] });
  figure(`0 found; ${known} in a project with ${KNOWN_BAD.name} ${KNOWN_BAD.version}`);
});
