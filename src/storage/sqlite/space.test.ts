import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Sql } from '../sql.ts';
import { lastBackupAt, noteBackup } from './backup/online-backup.ts';
import { openSqlite, type SqliteDatabase } from './database.ts';
import { diagnoseRoom } from './integrity/diagnose.ts';
import { createSpace } from './space.ts';

let directory: string;
let path: string;
let database: SqliteDatabase<Sql, Sql>;
let events: string[];
const spaceEvents = {
  ranOut: (what: string) => events.push(`${what} failed`),
  recovered: () => events.push('recovered'),
};
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  path = join(directory, 'petstore.db');
  events = [];
  database = openSqlite({ path, environment: 'production', bind: (sql: Sql) => sql, spaceEvents });
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

const write = (text: string) => database.write(SYSTEM_CALL, (sql) => sql.run(text, []));
/** If the database needs more pages than this, SQLite reports the same error as for a full disk. */
const setMaxPages = (pages: number) => write(`PRAGMA max_page_count = ${pages}`);
const writeMuch = () => write('CREATE TABLE large AS SELECT zeroblob(1000000) AS bytes');

describe('a database on a full disk', () => {
  beforeEach(() => setMaxPages(1));

  test('refuses writes with Retry-After, reports it once, and cannot write', async () => {
    const refusals = await Promise.allSettled([writeMuch(), writeMuch(), writeMuch()]);
    for (const refusal of refusals) {
      expect((refusal as PromiseRejectedResult).reason).toMatchObject({
        code: 'unavailable',
        retryAfterSeconds: 5,
        isLogged: true,
      });
    }
    expect(refusals).toHaveLength(3);
    expect([events, database.canWrite()]).toEqual([['write failed'], false]);
    expect(await database.read(1n).all('SELECT id FROM stores', [])).toEqual([]);
  });

  test('can write again after a probe succeeds and no write has failed since the previous probe', async () => {
    await writeMuch().catch(() => undefined);
    await database.probeSpace();
    expect(database.canWrite()).toBe(false);
    await writeMuch().catch(() => undefined);
    await database.probeSpace();
    expect([events, database.canWrite()]).toEqual([['write failed'], false]);
    await database.probeSpace();
    expect([events, database.canWrite()]).toEqual([['write failed', 'recovered'], true]);
    await setMaxPages(100_000);
    await writeMuch();
  });

  test('makes its probe a real write, and makes none while there is space', async () => {
    const before = database.commits?.() ?? 0;
    await database.probeSpace();
    expect(database.commits?.()).toBe(before);
    await writeMuch().catch(() => undefined);
    await database.probeSpace();
    expect(database.commits?.()).toBe(before + 1);
  });

  test('reports any other kind of error unchanged', async () => {
    expect(write('SELECT * FROM nowhere')).rejects.toThrow('no such table');
    expect([events, database.canWrite()]).toEqual([[], true]);
  });
});

test('a lack of space for checkpoints is reported once, ends with the next checkpoint, and stops no write', () => {
  const space = createSpace(path, spaceEvents);
  space.checkpointFailed();
  space.checkpointFailed();
  expect([events, space.canWrite(), space.isShort()]).toEqual([['checkpoint failed'], true, true]);
  space.checkpointed();
  space.checkpointed();
  expect([events, space.isShort()]).toEqual([['checkpoint failed', 'recovered'], false]);
});

describe('petstore doctor', () => {
  test('reports a disk without space for the next writes as wrong, and warns if a backup does not fit', () => {
    const large = join(directory, 'large.db');
    writeFileSync(large, '');
    truncateSync(large, 30e6);
    const states = [0, 10e6, 25e6, 31e6].map((free) => diagnoseRoom(large, free));
    expect(states.map(({ state }) => state)).toEqual(['wrong', 'wrong', 'warning', 'ok']);
    expect(states[0]?.found).toBe('0 MB free');
  });
});

describe('the time of the last backup', () => {
  test('is undefined before the first backup, and then that of the newest one', () => {
    expect(lastBackupAt(path)).toBeUndefined();
    noteBackup(path, 5_000_000);
    noteBackup(path, 7_000_000);
    expect(lastBackupAt(path)).toBe(7_000_000);
  });

  test('does not fail the backup if it cannot be recorded', () => {
    mkdirSync(`${path}.backed-up`);
    noteBackup(path, 5_000_000);
    expect(lastBackupAt(path)).not.toBe(5_000_000);
  });
});
