import { afterAll, beforeAll, expect, test } from 'bun:test';
import { fstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHealth, openWal } from './sync.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('closing a log closes both descriptors', async () => {
  const path = join(directory, 'petstore.db');
  writeFileSync(`${path}-wal`, '');
  const files = new Set<number>();
  const wal = openWal(
    path,
    createHealth(() => undefined),
    { syncFile: async (file) => void files.add(file), syncFileNow: (file) => void files.add(file) },
  );
  await wal.sync();
  const again = wal.sync();
  wal.syncNow();
  await again;
  expect(files.size).toBe(2);
  wal.close();
  for (const file of files) expect(() => fstatSync(file)).toThrow('EBADF');
});

test('a pending sync is completed once, however often it is forced', async () => {
  const path = join(directory, 'forced.db');
  writeFileSync(`${path}-wal`, '');
  let forced = 0;
  const syncFileNow = () => {
    forced += 1;
  };
  const wal = openWal(
    path,
    createHealth(() => undefined),
    { syncFile: async () => undefined, syncFileNow },
  );
  const synced = wal.sync();
  for (let times = 0; times < 2; times += 1) wal.syncNow();
  await synced;
  expect(forced).toBe(1);
  wal.close();
});

test('only the first failure is reported, and it counts as logged', () => {
  const causes: unknown[] = [];
  const health = createHealth((cause) => causes.push(cause));
  const [first, second] = [new Error('first'), new Error('second')].map(health.fail);
  expect(causes).toEqual([new Error('first')]);
  expect(first).toMatchObject({ code: 'unavailable', isLogged: true, cause: new Error('first') });
  expect([second, health.failure]).toEqual([first, first]);
});
