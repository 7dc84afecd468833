import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSqlite } from './sqlite.connection.ts';
import { isOldSqlite, openSqliteFile } from './sqlite.open.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  path = join(directory, 'deep', 'petstore.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const change = (script: string) => {
  const connection = connectSqlite(path);
  connection.script(script);
  connection.close();
};
const pragma = (connection: { one(text: string, values: []): unknown }, name: string) =>
  Object.values(connection.one(`PRAGMA ${name}`, []) as object)[0];

describe('opening an SQLite file', () => {
  test('makes the folder and the file, and finds them again', () => {
    openSqliteFile(path, 'production').close();
    openSqliteFile(path, 'production').close();
  });

  test('writes in WAL mode and syncs every commit', () => {
    const { writer, close } = openSqliteFile(path, 'production');
    expect(pragma(writer, 'journal_mode')).toBe('wal');
    expect(pragma(writer, 'synchronous')).toBe(2n);
    close();
  });

  test('hands out a reader that cannot write', () => {
    const { reader, close } = openSqliteFile(path, 'production');
    expect(() => reader.run('DELETE FROM pets', [])).toThrow();
    close();
  });

  test('refuses a file that another process has open', () => {
    const first = openSqliteFile(path, 'production');
    expect(() => openSqliteFile(path, 'production')).toThrow('in use by another petstore process');
    first.close();
    openSqliteFile(path, 'production').close();
  });

  test('refuses a file of a newer version', () => {
    openSqliteFile(path, 'production').close();
    change('PRAGMA user_version = 999');
    expect(() => openSqliteFile(path, 'production')).toThrow('written by a newer version of petstore (schema 999');
  });

  test('refuses a file of the other environment', () => {
    openSqliteFile(path, 'production').close();
    expect(() => openSqliteFile(path, 'staging')).toThrow('is a production database');
  });

  test('refuses a file that is no database', () => {
    mkdirSync(join(directory, 'deep'));
    writeFileSync(path, 'A letter, and a long one at that. '.repeat(100));
    expect(() => openSqliteFile(path, 'production')).toThrow('file is not a database');
  });

  test('refuses the database of another program', () => {
    mkdirSync(join(directory, 'deep'));
    change('CREATE TABLE recipes (name TEXT)');
    expect(() => openSqliteFile(path, 'production')).toThrow('is a database of another program');
  });

  test('refuses a path it cannot write to', () => {
    writeFileSync(join(directory, 'deep'), 'a file where a folder should be');
    expect(() => openSqliteFile(path, 'production')).toThrow(`cannot use the database ${path}`);
  });

  test.each([
    ['3.51.2', true],
    ['3.51.3', false],
    ['3.53.4', false],
    ['3.7.17', true],
    ['4.0.0', false],
  ])('SQLite %s is too old: %p', (version, old) => {
    expect(isOldSqlite(version)).toBe(old);
  });
});
