import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import type { Sql } from '../src/storage/sql.ts';
import { connectSqlite } from '../src/storage/sqlite/connection.ts';
import { openSqlite } from '../src/storage/sqlite/database.ts';
import { openSqliteFile } from '../src/storage/sqlite/open.ts';

const PAGE_BYTES = 4096;
const LOG_HEADER_BYTES = 32;
const WRITERS = 4;
const OLD_TEXTS = 150;

type Options = {
  directory(): string;
  points: number;
  isTrusting?: boolean;
};

/**
 * Builds the WAL as it might be on disk after a failed sync: the header is new, but all other bytes are as they were
 * after the last successful sync.
 */
const tearLog = (synced: string, now: string) => {
  const torn = readFileSync(synced);
  readFileSync(now).copy(torn, 0, 0, LOG_HEADER_BYTES);
  writeFileSync(synced, torn);
};

const makeFile = (path: string) => {
  const { writer, close } = openSqliteFile(path, 'production');
  writer.script('CREATE TABLE texts (id INTEGER PRIMARY KEY, value TEXT); CREATE INDEX by_value ON texts (value)');
  writer.run('BEGIN IMMEDIATE');
  for (let old = 1; old <= OLD_TEXTS; old += 1)
    writer.run('INSERT INTO texts (id, value) VALUES ($1, $2)', [-old, `${old} `.repeat(500)]);
  writer.run('COMMIT');
  close();
};

const change = (id: number) => async (sql: Sql) => {
  const value = `${(id * 7) % 100} `.repeat(500);
  await sql.run('INSERT INTO texts (id, value) VALUES ($1, $2)', [id, value]);
  await sql.run('UPDATE texts SET value = $1 WHERE id = $2', [value, -1 - ((id * 37) % OLD_TEXTS)]);
};

/**
 * Writes until a sync fails. After that, the operating system treats the pages as written, although they are not on
 * disk. `cache` is the database that the process reads, and `disk` is the database that survives a power loss.
 */
const writeUntilFailure = async (directory: string, failingAt: number) => {
  const [path, disk, cache] = ['petstore.db', 'disk.db', 'cache.db'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  makeFile(path);
  let syncs = 0;
  const syncFile = async () => {
    syncs += 1;
    if (syncs === failingAt - 1) copyFileSync(`${path}-wal`, `${disk}-wal`);
    if (syncs !== failingAt) return;
    copyFileSync(path, disk);
    tearLog(`${disk}-wal`, `${path}-wal`);
    throw new Error('EIO');
  };
  // A checkpoint runs after every 8 pages, so that SQLite reuses the WAL many times.
  const database = openSqlite({
    path,
    environment: 'production',
    bind: (sql: Sql) => sql,
    syncFile,
    checkpointPages: 8,
  });
  const acknowledged: number[] = [];
  let id = 1;
  const writer = async () => {
    while (database.canWrite()) {
      id += 1;
      const mine = id;
      await database.write(SYSTEM_CALL, change(mine)).then(
        () => acknowledged.push(mine),
        () => undefined,
      );
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await database.close();
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, cache + suffix);
  return { disk, cache, acknowledged };
};

const mixPages = (was: Buffer, is: Buffer, isNew: (page: number) => boolean): Buffer => {
  const mixed = Buffer.alloc(Math.max(was.length, is.length));
  for (let page = 0; page * PAGE_BYTES < mixed.length; page += 1)
    mixed.set((isNew(page) ? is : was).subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), page * PAGE_BYTES);
  return mixed;
};

const look = (path: string, acknowledged: readonly number[]) => {
  const connection = connectSqlite(path);
  try {
    const rows = connection.all('SELECT id FROM texts', []) as { id: bigint }[];
    const { integrity_check: found } = connection.one('PRAGMA integrity_check', []) as { integrity_check: string };
    const kept = new Set(rows.map(({ id }) => Number(id)));
    return { lost: acknowledged.filter((id) => !kept.has(id)).length, corrupt: found === 'ok' ? 0 : 1 };
  } catch {
    return { lost: acknowledged.length, corrupt: 1 };
  } finally {
    connection.close();
  }
};

/**
 * Simulates power losses during the next start, while SQLite copies the WAL to the database file. Two power losses
 * happen before any page has been copied, and three happen after some pages have been copied.
 */
export const failAtEverySyncAndStart = async ({ directory, points, isTrusting = false }: Options) => {
  const seen = { losses: 0, acknowledged: 0, lost: 0, corrupt: 0 };
  for (let point = 2; point < points + 2; point += 1) {
    const { disk, cache, acknowledged } = await writeUntilFailure(directory(), point);
    const was = readFileSync(disk);
    let log = readFileSync(`${disk}-wal`);
    const syncLog = () => {
      if (!isTrusting) log = readFileSync(`${cache}-wal`);
    };
    const lose = (file: Buffer) => {
      const image = `${disk}.image`;
      writeFileSync(image, file);
      writeFileSync(`${image}-wal`, log);
      const { lost, corrupt } = look(image, acknowledged);
      seen.losses += 1;
      seen.lost += lost;
      seen.corrupt += corrupt;
    };
    lose(was);
    openSqliteFile(cache, 'production', { syncLog }).close();
    const is = readFileSync(cache);
    lose(was);
    for (const part of [2, 3, 5]) lose(mixPages(was, is, (page) => (page + point) % part === 0));
    const whole = look(cache, acknowledged);
    seen.lost += whole.lost;
    seen.corrupt += whole.corrupt;
    seen.acknowledged += acknowledged.length;
  }
  return seen;
};
