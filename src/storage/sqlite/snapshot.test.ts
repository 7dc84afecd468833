import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { createKeyIndex } from './key-index.ts';
import { createSnapshot } from './snapshot.ts';

let directory: string;
let writer: SqliteConnection;
let reader: SqliteConnection;
let snapshot: ReturnType<typeof createSnapshot>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const path = join(directory, 'rows.db');
  writer = connectSqlite(path);
  writer.script('PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER PRIMARY KEY)');
  reader = connectSqlite(path, undefined, 'read');
  snapshot = createSnapshot(reader, createKeyIndex());
});
afterEach(() => {
  reader.close();
  writer.close();
  rmSync(directory, { recursive: true });
});

const add = () => writer.run('INSERT INTO rows DEFAULT VALUES', []);
const count = () => (snapshot.sql.one('SELECT count(*) AS n FROM rows', []) as { n: bigint }).n;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a snapshot', () => {
  test('shows the same state to all reads of one turn, and ends with the turn', async () => {
    expect(count()).toBe(0n);
    add();
    expect(count()).toBe(0n);
    await turn();
    expect(reader.inTransaction()).toBe(false);
    expect(count()).toBe(1n);
    add();
    expect(count()).toBe(1n);
  });

  test('shows the state at `hold` until `release`', async () => {
    snapshot.hold();
    add();
    await turn();
    expect(count()).toBe(0n);
    snapshot.release();
    expect(reader.inTransaction()).toBe(false);
    expect(count()).toBe(1n);
  });

  test('refuses reads if it is lost while held, because a new one would show unsynced data', () => {
    snapshot.hold();
    add();
    reader.run('ROLLBACK');
    expect(count).toThrow(expect.objectContaining({ code: 'unavailable' }));
    snapshot.release();
    expect(count()).toBe(1n);
  });
});
