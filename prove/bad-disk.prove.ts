import { Database } from 'bun:sqlite';
import { afterAll, describe, expect } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildLibrary } from '../bench/slow-sync.ts';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof } from './proof.ts';
import { createSeeded, seedOfRun } from './seeded.ts';
import { startWriters } from './writers.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const MOST = 200;
const SAMPLE = 2;
/** The service counts as recovered when it has acknowledged more than this many writes after the fault. */
const GOES_ON = 20;
const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY };
const library = await buildLibrary(bench.directory(), join(import.meta.dir, 'failing-disk.c'));

const KINDS = ['enospc', 'eio', 'short', 'torn', 'sync'] as const;

type Fault = { kind: (typeof KINDS)[number]; n: number };
type Pet = { id: number; name: string };

const faultsOf = (seed: number): Fault[] => {
  const random = createSeeded(seed);
  const all = Array.from({ length: MOST }, (_, index) => index + 1);
  return KINDS.flatMap((kind) =>
    random
      .shuffled(all)
      .slice(0, LONG ? MOST : SAMPLE)
      .map((n) => ({ kind, n })),
  );
};

/**
 * Returns true after a failed write to the WAL, because the service can roll back the write and must recover. Returns
 * false after a failed sync, because earlier writes may be lost and the service must refuse writes until it is
 * restarted. Returns `undefined` if either behaviour is correct.
 */
const mustGoOn = ({ kind }: Fault, path: string): boolean | undefined => {
  if (kind === 'sync') return false;
  return path.endsWith('-wal') ? true : undefined;
};

const readFile = (directory: string): Map<number, string> => {
  const file = new Database(join(directory, 'data', 'petstore.db'), { readonly: true });
  try {
    expect(file.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const [counted] = file.query('SELECT (SELECT count(*) FROM pets) = (SELECT sum(count) FROM inventory)').values();
    expect(counted).toEqual([1]);
    return new Map((file.query('SELECT id, name FROM pets').all() as Pet[]).map(({ id, name }) => [id, name]));
  } finally {
    file.close();
  }
};

const failOnce = async (directory: string, fault: Fault, turn: number) => {
  const faultPath = join(directory, 'fault');
  rmSync(`${faultPath}.hit`, { force: true });
  const preload = { LD_PRELOAD: library as string, FAILING_DISK: faultPath };
  const program = bench.start({ directory, environment: { ...environment, ...preload } });
  const origin = await program.origin();
  const writers = startWriters(origin, `turn ${turn}`);
  await waitFor('some are acknowledged', () => writers.acknowledged.length > 10);
  writeFileSync(faultPath, `${fault.kind} ${fault.n}`);
  await waitFor('it has failed', () => !existsSync(faultPath));
  const path = readFileSync(`${faultPath}.hit`, 'utf8');
  const before = writers.acknowledged.length;
  const isReady = async () => (await fetch(`${origin}/readyz`)).status === 200;
  const continues = await waitFor('it continues, or accepts no more writes', async () => {
    // If a checkpoint cannot sync the database file, the service may acknowledge a few more writes before it notices.
    // These writes do not count as recovery.
    const mayGoOn = mustGoOn(fault, path) !== false || path.endsWith('-wal');
    if (mayGoOn && writers.acknowledged.length > before + GOES_ON && (await isReady())) return { is: true };
    return writers.isRefused() && !(await isReady()) ? { is: false } : undefined;
  });
  expect({ ...fault, path: basename(path), continues: mustGoOn(fault, path) ?? continues.is }).toEqual({
    ...fault,
    path: basename(path),
    continues: continues.is,
  });
  await writers.stop();
  const shown = await writers.shown();
  expect(shown.filter((name) => writers.refused.has(name))).toEqual([]);
  program.signal(continues.is && turn % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
  await program.ended();
  expect(program.written.out).not.toContain('"status":500');
  return { ...writers, isWhole: continues.is };
};

describe.skipIf(!library)('a failing disk', () => {
  proof(
    `a write or a sync fails at the n-th call, for n up to ${MOST}: acknowledged writes are stored, and refused ones are not`,
    async ({ figure }) => {
      const [seed, directory] = [seedOfRun(), bench.directory()];
      const faults = faultsOf(seed);
      const acknowledged: Pet[] = [];
      const refused = new Set<string>();
      let [went, stopped] = [0, 0];
      for (const [turn, fault] of faults.entries()) {
        const seen = await failOnce(directory, fault, turn);
        acknowledged.push(...seen.acknowledged);
        // If the service recovered, refused writes must not be stored. If it did not recover, a refused write may still
        // be on disk.
        if (seen.isWhole) for (const name of seen.refused) refused.add(name);
        went += seen.isWhole ? 1 : 0;
        stopped += seen.isWhole ? 0 : 1;
      }
      const last = bench.start({ directory, environment });
      await last.origin();
      last.signal('SIGTERM');
      expect((await last.ended()).exitCode).toBe(0);
      const stored = readFile(directory);
      const lost = acknowledged.filter(({ id, name }) => stored.get(id) !== name);
      const names = [...stored.values()];
      figure(
        `${faults.length} faults, seed ${seed}: ${went} recovered without a restart, ${stopped} not ready until the next start`,
      );
      figure(
        `${lost.length} of ${acknowledged.length} acknowledged writes lost, none of ${refused.size} refused writes visible`,
      );
      expect(lost).toEqual([]);
      expect(names.filter((name) => refused.has(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    },
  );
});
