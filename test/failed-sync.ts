import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../src/database/sql.ts';
import { connectSqlite } from '../src/database/sqlite.connection.ts';
import { openSqliteFile } from '../src/database/sqlite.open.ts';
import { openSqlite } from '../src/database/sqlite.ts';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';

const PAGE_BYTES = 4096;
const LOG_HEADER_BYTES = 32;
const WRITERS = 4;

type Options = {
  /** One for each point. */
  directory(): string;
  /** At how many syncs one fails. */
  points: number;
  /** A start that takes what it reads of the log for what is on disk. */
  isTrusting?: boolean;
};

/** Of the log, what is on disk once a sync has failed: what the last one had ended with, with a beginning of SQLite's own. */
const tearLog = (synced: string, now: string) => {
  const torn = readFileSync(synced);
  readFileSync(now).copy(torn, 0, 0, LOG_HEADER_BYTES);
  writeFileSync(synced, torn);
};

/**
 * Writes until the given sync fails. What the system could not write it has marked as written: the log of `cache` can be
 * read and is not on disk. The log of `disk` is what is; the file itself is written and synced by SQLite alone.
 */
const writeUntilFailure = async (directory: string, failingAt: number) => {
  const [path, disk, cache] = ['petstore.db', 'disk.db', 'cache.db'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  let syncs = 0;
  const syncFile = async () => {
    syncs += 1;
    if (syncs === failingAt - 1) copyFileSync(`${path}-wal`, `${disk}-wal`);
    if (syncs !== failingAt) return;
    copyFileSync(path, disk);
    tearLog(`${disk}-wal`, `${path}-wal`);
    throw new Error('EIO');
  };
  // The log starts anew many times.
  const database = openSqlite({
    path,
    environment: 'production',
    bind: (sql: Sql) => sql,
    syncFile,
    checkpointPages: 8,
  });
  await database.write(SYSTEM_CALL, async (sql) => {
    await sql.run('CREATE TABLE texts (id INTEGER PRIMARY KEY, value TEXT)', []);
    await sql.run('CREATE INDEX texts_by_value ON texts (value)', []);
  });
  const acknowledged: number[] = [];
  let id = 1;
  const writer = async () => {
    while (database.canWrite()) {
      id += 1;
      const mine = id;
      // Several pages each, so that it makes a difference which of them are on disk.
      const write = (sql: Sql) =>
        sql.run('INSERT INTO texts (id, value) VALUES ($1, $2)', [mine, `${(mine * 7) % 100} `.repeat(500)]);
      await database.write(SYSTEM_CALL, write).then(
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

/** Some pages of a file as they are now, and the others as they were. */
const mixPages = (was: Buffer, is: Buffer, isNew: (page: number) => boolean): Buffer => {
  const mixed = Buffer.from(is);
  for (let page = 0; page * PAGE_BYTES < was.length; page += 1)
    if (!isNew(page)) was.copy(mixed, page * PAGE_BYTES, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
  return mixed;
};

/** What a disk comes to when it is read after a loss of power. */
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
 * A sync fails, the process ends, and the power fails while the next start brings the log to its place: before the
 * start has written anything, and after any pages of the file are written and others not.
 */
export const failAtEverySyncAndStart = async ({ directory, points, isTrusting = false }: Options) => {
  const seen = { losses: 0, acknowledged: 0, lost: 0, corrupt: 0 };
  // The first sync is of the tables.
  for (let point = 3; point < points + 3; point += 1) {
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
