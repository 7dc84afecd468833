import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { createKeyIndex, hashKey, loadKeys } from './key-index.ts';

const MANY = 5000;

describe('an index of idempotency keys', () => {
  test('finds every row that was added, under its own hash', () => {
    const index = createKeyIndex(7);
    const hashes = Array.from({ length: MANY }, (_, number) => hashKey(1n, 'key_1', `${number}`));
    expect(hashes.map(index.addNew)).toEqual(hashes.map((_, number) => number + 8));
    for (const [number, hash] of hashes.entries()) expect(index.find(hash)).toContain(number + 8);
    expect(index.nextRow()).toBe(MANY + 8);
    const others = Array.from({ length: MANY }, (_, number) => hashKey(2n, 'key_1', `${number}`));
    expect(others.filter((hash) => index.find(hash).length > 0)).toEqual([]);
  });

  test('has a hash for each store, API key and idempotency key', () => {
    const hashes = [hashKey(1n, 'key_1', 'a'), hashKey(2n, 'key_1', 'a'), hashKey(1n, 'key_2', 'a')];
    expect(new Set([...hashes, hashKey(1n, 'key_1', 'b')]).size).toBe(4);
    for (const hash of hashes) expect(hash).toBeWithin(0, 2 ** 40);
  });

  test('finds all rows with the same hash', () => {
    const index = createKeyIndex();
    expect([index.addNew(5), index.addNew(5), index.addNew(2 ** 32 + 5)]).toEqual([1, 2, 3]);
    expect(index.find(5)).toEqual([1, 2]);
    expect(index.find(2 ** 32 + 5)).toEqual([3]);
  });

  test('agrees with a plain list of rows, whatever is added and dropped', () => {
    const hash = fc.nat({ max: 40 }).map((value) => value * 16);
    const step = fc.oneof({ weight: 9, arbitrary: hash }, { weight: 1, arbitrary: fc.constant('drop' as const) });
    let dropped = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 400 }), (steps) => {
        const index = createKeyIndex();
        let rows: { hash: number; row: number }[] = [];
        for (const next of steps) {
          if (next === 'drop') {
            const first = Math.floor((rows[0]?.row ?? 1) + rows.length / 2);
            index.dropBefore(first);
            rows = rows.filter(({ row }) => row >= first);
            dropped += 1;
          } else rows.push({ hash: next, row: index.addNew(next) });
        }
        for (let value = 0; value <= 40 * 16; value += 16) {
          const expected = rows.filter(({ hash }) => hash === value).map(({ row }) => row);
          expect(index.find(value).sort((one, other) => one - other)).toEqual(expected);
        }
      }),
    );
    expect(dropped).toBeGreaterThan(100);
  });
});

describe('stored keys', () => {
  let file: SqliteConnection;
  beforeEach(() => {
    file = connectSqlite(':memory:');
    file.script(`CREATE TABLE idempotency (store_id INTEGER, key_id TEXT, idempotency_key TEXT, kept_at INTEGER,
        key_hash INTEGER NOT NULL DEFAULT -1);
      CREATE INDEX idempotency_kept_at ON idempotency (kept_at, key_hash)`);
  });
  afterEach(() => file.close());

  const store = (number: number, hash: number) =>
    file.run(
      'INSERT INTO idempotency (store_id, key_id, idempotency_key, kept_at, key_hash) VALUES (1, $1, $2, $3, $4)',
      ['key_1', `${number}`, Math.floor(number / 3000), hash],
    );
  const rowsFound = async () => {
    const index = createKeyIndex();
    await loadKeys(index, file as never);
    return Array.from({ length: MANY }, (_, number) => index.find(hashKey(1n, 'key_1', `${number}`)));
  };
  const expected = Array.from({ length: MANY }, (_, number) => [number + 1]);

  test('are all loaded, also when more were stored in one millisecond than are read at once', async () => {
    for (let number = 0; number < MANY; number += 1) store(number, hashKey(1n, 'key_1', `${number}`));
    expect(await rowsFound()).toEqual(expected);
  });

  test('are loaded without a stored hash, as a move from PostgreSQL leaves them', async () => {
    for (let number = 0; number < MANY; number += 1) store(number, -1);
    expect(await rowsFound()).toEqual(expected);
  });
});
