import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { failAtEverySyncAndStart } from './failed-sync.ts';
import { createWorkbench } from './program.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const WAYS = [
  'closes its files and ends by itself',
  'closes its files and exits',
  'exits',
  'throws an uncaught error',
  'leaves a rejection unhandled',
];

describe.concurrent('a process after a failed sync', () => {
  test.each(WAYS)('loses no acknowledged write and leaves the file intact if it %s', async (way) => {
    const directory = bench.directory();
    const path = join(directory, 'petstore.db');
    const command = [process.execPath, join(import.meta.dir, 'failed-sync.program.ts'), path, way];
    const program = bench.start({ directory, command });
    const { out } = await program.ended();
    expect(program.child.signalCode).toBe('SIGKILL');

    const file = new Database(path);
    const kept = file.query('SELECT count(*) AS rows FROM stores').get();
    const whole = file.query('PRAGMA integrity_check').get();
    file.close();
    expect({ kept, whole }).toEqual({ kept: { rows: Number(out) }, whole: { integrity_check: 'ok' } });
    expect(Number(out)).toBe(98);
  });
});

describe('a power failure during the start after a failed sync', () => {
  const fail = (isTrusting: boolean) => failAtEverySyncAndStart({ directory: bench.directory, points: 8, isTrusting });

  test('loses no acknowledged write and leaves the file intact, whichever pages reached the disk', async () => {
    expect(await fail(false)).toMatchObject({ losses: 40, lost: 0, corrupt: 0 });
  });

  test('corrupts the file, as this test can detect, if the start trusts what it reads', async () => {
    expect((await fail(true)).corrupt).toBeGreaterThan(0);
  });
});
