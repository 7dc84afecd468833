import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from './migrations.sqlite.ts';
import { openSqliteFile } from './sqlite.open.ts';

const SECOND = 'CREATE TABLE second (id INTEGER) STRICT; INSERT INTO second SELECT id FROM stores';
const THIRD = 'ALTER TABLE second ADD COLUMN name TEXT';
const BROKEN = 'CREATE TABLE third (id INTEGER) STRICT; SELECT nonsense';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const { writer, close } = openWith();
  writer.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (7, 0, 0)', []);
  close();
});
afterEach(() => rmSync(directory, { recursive: true }));

const openWith = (...steps: string[]) =>
  openSqliteFile(join(directory, 'petstore.db'), 'production', { migrations: [...MIGRATIONS, ...steps] });

/** What an open finds, with these steps after those of today. */
const look = (steps: string[], query: string) => {
  const { reader, close } = openWith(...steps);
  const rows = reader.all(query, []);
  close();
  return rows;
};
const tables = (steps: string[]) =>
  look(steps, `SELECT name FROM sqlite_schema WHERE name IN ('second', 'third')`).map(
    (row) => (row as { name: string }).name,
  );

describe('a file of a version before', () => {
  test('is taken through the steps it has not seen, each once, and keeps its rows', () => {
    for (let opened = 0; opened < 2; opened += 1) {
      expect(look([SECOND, THIRD], 'SELECT id, name FROM second')).toEqual([{ id: 7n, name: null }]);
    }
    expect(look([SECOND, THIRD], 'PRAGMA user_version')).toEqual([{ user_version: BigInt(MIGRATIONS.length + 2) }]);
  });

  test('stays as the last whole step has left it when one breaks off, and goes on from there', () => {
    expect(() => openWith(SECOND, BROKEN)).toThrow('no such column: nonsense');
    expect(tables([SECOND])).toEqual(['second']);
    expect(look([SECOND, THIRD], 'SELECT id, name FROM second')).toEqual([{ id: 7n, name: null }]);
  });

  test('is not opened again by that version once it has seen a step more', () => {
    openWith(SECOND).close();
    const known = MIGRATIONS.length;
    expect(() => openWith()).toThrow(
      `written by a newer version of petstore (schema ${known + 1}, this version knows ${known})`,
    );
  });
});
