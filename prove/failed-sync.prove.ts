import { Database } from 'bun:sqlite';
import { afterAll, describe, expect } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary } from '../bench/slow-sync.ts';
import { failAtEverySyncAndStart } from '../test/failed-sync.ts';
import { createWorkbench, type Program } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof, type Tell } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const CALLERS = 8;
const ROUNDS = LONG ? 10 : 1;
const POINTS = LONG ? 200 : 20;
const library = await buildLibrary(bench.directory(), join(import.meta.dir, 'failing-disk.c'));

const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY };

type Pet = { id: number; name: string };

const add = async (origin: string, name: string): Promise<Pet | number> => {
  const answer = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, categoryId: 1 }),
  });
  const body = await answer.json();
  return answer.status === 201 ? (body as Pet) : answer.status;
};

const FAULTS = {
  'that a response waits for': 'any petstore.db-wal',
  'inside a commit that restarts the log': 'first petstore.db-wal',
  'of a checkpoint': 'any petstore.db',
};

const WAYS: Record<string, (program: Program) => Promise<void>> = {
  SIGTERM: async ({ signal }) => signal('SIGTERM'),
  SIGKILL: async ({ signal }) => signal('SIGKILL'),
  'SIGINT twice': async ({ signal, written }) => {
    signal('SIGINT');
    await waitFor('it is stopping', () => written.out.includes('"event":"stopping"'));
    await Bun.sleep(300);
    signal('SIGINT');
  },
};

const startCallers = (origin: string) => {
  const acknowledged: Pet[] = [];
  let isOver = false;
  const caller = async (_: unknown, number: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const response = await add(origin, `caller ${number}, turn ${turn}`);
      if (typeof response === 'object') acknowledged.push(response);
      else expect(response).toBe(503);
    }
  };
  const callers = Array.from({ length: CALLERS }, caller);
  return {
    acknowledged,
    stop: async () => {
      isOver = true;
      await Promise.all(callers);
    },
  };
};

const startOnFailingDisk = async () => {
  const directory = bench.directory();
  const disk = join(directory, 'fault');
  const preload = { LD_PRELOAD: library as string, FAILING_DISK: disk };
  const program = bench.start({ directory, environment: { ...environment, ...preload } });
  const origin = await program.origin();
  const { acknowledged, stop } = startCallers(origin);
  await waitFor('some are acknowledged', () => acknowledged.length > 50);
  const fail = (fault: string) => writeFileSync(disk, fault);
  const failed = () => waitFor('the sync has failed', () => !existsSync(disk));
  return { directory, program, origin, acknowledged, stop, fail, failed };
};

const countLost = async (directory: string, acknowledged: readonly Pet[]): Promise<number> => {
  const again = bench.start({ directory, environment });
  await again.origin();
  again.signal('SIGTERM');
  expect((await again.ended()).exitCode).toBe(0);
  const file = new Database(join(directory, 'data', 'petstore.db'));
  const stored = file.query('SELECT id, name FROM pets').all() as Pet[];
  expect(file.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  file.close();
  const kept = new Map(stored.map(({ id, name }) => [id, name]));
  return acknowledged.filter(({ id, name }) => kept.get(id) !== name).length;
};

const failAndEnd = async (fault: string, end: (program: Program) => Promise<void>) => {
  const { directory, program, origin, acknowledged, stop, fail, failed } = await startOnFailingDisk();
  fail(fault);
  await failed();
  await waitFor('it is no longer ready', async () => (await fetch(`${origin}/readyz`)).status !== 200);
  await stop();
  expect(await add(origin, 'too late')).toBe(503);
  await end(program);
  await program.ended();
  expect(program.child.signalCode).toBe('SIGKILL');
  return { acknowledged: acknowledged.length, lost: await countLost(directory, acknowledged) };
};

const failWhileEnding = async () => {
  const { directory, program, acknowledged, stop, fail, failed } = await startOnFailingDisk();
  await stop();
  fail(FAULTS['of a checkpoint']);
  program.signal('SIGTERM');
  const { out, err } = await program.ended();
  await failed();
  expect(program.child.signalCode).toBe('SIGKILL');
  expect([out, err]).toEqual([
    expect.stringContaining('"event":"storage_failed"'),
    expect.stringContaining('petstore: cannot use the database'),
  ]);
  return { acknowledged: acknowledged.length, lost: await countLost(directory, acknowledged) };
};

const repeat = async ({ figure }: Tell, ...runs: (() => Promise<{ acknowledged: number; lost: number }>)[]) => {
  const seen = { ends: 0, acknowledged: 0, lost: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const run of runs) {
      const { acknowledged, lost } = await run();
      seen.ends += 1;
      seen.acknowledged += acknowledged;
      seen.lost += lost;
    }
  }
  figure(`${seen.lost} of ${seen.acknowledged} acknowledged writes lost in ${seen.ends} runs`);
  expect(seen.lost).toBe(0);
};

describe.skipIf(!library)('a failing disk', () => {
  for (const [which, fault] of Object.entries(FAULTS)) {
    proof(
      `a sync ${which} fails, then the process ends (${Object.keys(WAYS).join(', ')}): no acknowledged write is lost, and the file is intact`,
      (tell) => repeat(tell, ...Object.values(WAYS).map((end) => () => failAndEnd(fault, end))),
    );
  }

  proof(
    'a sync fails when the process closes its files: after a restart, no acknowledged write is lost and the file is intact',
    (tell) => repeat(tell, failWhileEnding),
  );
});

proof(
  'a sync fails, and power is lost during the next start: no acknowledged write is lost, and the file is intact',
  async ({ figure }) => {
    const { losses, acknowledged, lost, corrupt } = await failAtEverySyncAndStart({
      directory: bench.directory,
      points: POINTS,
    });
    figure(`${lost} of ${acknowledged} lost and ${corrupt} files corrupt in ${losses} power losses`);
    expect([lost, corrupt]).toEqual([0, 0]);
  },
);

proof('the same test finds damaged files if the service trusts data that was never synced', async ({ figure }) => {
  const seen = await failAtEverySyncAndStart({ directory: bench.directory, points: POINTS, isTrusting: true });
  figure(`${seen.lost} of ${seen.acknowledged} lost and ${seen.corrupt} files corrupt in ${seen.losses} power losses`);
  expect(seen.corrupt).toBeGreaterThan(0);
});
