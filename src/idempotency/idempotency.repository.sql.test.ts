import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { KeyIndex, Sql } from '../storage/sql.ts';
import { connectSqlite, type SqliteConnection } from '../storage/sqlite/connection.ts';
import { MIGRATIONS } from '../storage/sqlite/migrations.ts';
import { sqlIdempotency, sqlKeptAnswers } from './idempotency.repository.sql.ts';

let file: SqliteConnection;
beforeEach(() => {
  file = connectSqlite(':memory:');
  for (const migration of MIGRATIONS) file.script(migration);
});
afterEach(() => file.close());

const NAMES: [storeId: bigint, keyId: string, idempotencyKey: string][] = [
  [1n, 'key_a', 'word'],
  [2n, 'key_a', 'word'],
  [1n, 'key_b', 'word'],
  [1n, 'key_a', 'other'],
];

let dropped: number[];
const sqlWith = (keyIndex?: KeyIndex): Sql =>
  ({ ...file, afterCommit: (effect: () => void) => effect(), ...(keyIndex && { keyIndex }) }) as unknown as Sql;

/** For any key, this index returns all rows as possible matches, as if all keys had the same hash. */
const collidingIndex = (): KeyIndex => {
  let last = 0;
  dropped = [];
  return {
    find: () => Array.from({ length: last }, (_, index) => index + 1),
    addNew: () => ({ hash: 0, row: ++last }),
    nextRow: () => last + 1,
    dropBefore: (row) => dropped.push(row),
  };
};

const keepAll = async (sql: Sql): Promise<void> => {
  for (const [at, [storeId, keyId, idempotencyKey]] of NAMES.entries()) {
    const answer = { fingerprint: new Uint8Array(1), body: `${at}`, version: null, location: null };
    await sqlIdempotency(sql, storeId, () => at).keep(keyId, idempotencyKey, answer);
  }
};
const findAll = (sql: Sql) =>
  Promise.all(
    NAMES.map(async ([storeId, keyId, key]) => (await sqlIdempotency(sql, storeId, () => 0).find(keyId, key))?.body),
  );

describe.each([
  ['with an index in which all hashes are the same', collidingIndex],
  ['without an index in memory', () => undefined],
])('stored answers, %s', (_, createIndex) => {
  test('are found by their exact store, API key and idempotency key', async () => {
    const sql = sqlWith(createIndex());
    await keepAll(sql);
    expect(await findAll(sql)).toEqual(['0', '1', '2', '3']);
    expect(await sqlIdempotency(sql, 1n, () => 0).find('key_b', 'other')).toBeUndefined();
    expect(file.all('SELECT rowid AS row FROM idempotency', [])).toHaveLength(NAMES.length);
  });

  test('are deleted in order of their age', async () => {
    const sql = sqlWith(createIndex());
    await keepAll(sql);
    expect(await sqlKeptAnswers(sql).forget(2, 2)).toBe(2);
    expect(await findAll(sql)).toEqual([undefined, undefined, '2', '3']);
  });
});

test('the index drops the rows that were deleted, and only those', async () => {
  const sql = sqlWith(collidingIndex());
  await keepAll(sql);
  await sqlKeptAnswers(sql).forget(2, 2);
  await sqlKeptAnswers(sql).forget(9, 9);
  expect(dropped).toEqual([3, 5]);
});
