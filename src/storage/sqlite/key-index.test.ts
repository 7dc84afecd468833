import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { createKeyIndex, loadKeys } from './key-index.ts';

const MANY = 5000;

describe('an index of idempotency keys', () => {
  test('finds every row that was added, under its own name', () => {
    const index = createKeyIndex(7);
    const names = Array.from({ length: MANY }, (_, number) => `1 key_1 ${number}`);
    expect(names.map((name) => index.addNew(name).row)).toEqual(names.map((_, number) => number + 8));
    for (const [number, name] of names.entries()) expect(index.find(name)).toContain(number + 8);
    expect(index.nextRow()).toBe(MANY + 8);
    expect(names.filter((name) => index.find(`${name} `).length > 0)).toEqual([]);
    expect(index.addNew('1 key_1 0').hash).toBeWithin(0, 2 ** 40);
  });

  test('agrees with a plain list of rows, whatever is added and dropped', () => {
    const name = fc.nat({ max: 40 }).map(String);
    const step = fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.constant('drop') });
    let dropped = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 400 }), (steps) => {
        const index = createKeyIndex();
        let rows: { name: string; row: number }[] = [];
        for (const next of steps) {
          if (next === 'drop') {
            const first = Math.floor((rows[0]?.row ?? 1) + rows.length / 2);
            index.dropBefore(first);
            rows = rows.filter(({ row }) => row >= first);
            dropped += 1;
          } else rows.push({ name: next, row: index.addNew(next).row });
        }
        for (let value = 0; value <= 40; value += 1) {
          const expected = rows.filter(({ name }) => name === `${value}`).map(({ row }) => row);
          expect(index.find(`${value}`).sort((one, other) => one - other)).toEqual(expected);
        }
      }),
    );
    expect(dropped).toBeGreaterThan(100);
  });

  test('distinguishes hashes of different shards', () => {
    const index = createKeyIndex();
    const { hash } = index.addNew('a');
    index.add((hash + 2 ** 32) % 2 ** 40, 2);
    expect(index.find('a')).toEqual([1]);
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
    return Array.from({ length: MANY }, (_, number) => index.find(`1 key_1 ${number}`));
  };
  const expected = Array.from({ length: MANY }, (_, number) => [number + 1]);

  test('are all loaded, even if more than 2,000 of them have the same time', async () => {
    const { addNew } = createKeyIndex();
    for (let number = 0; number < MANY; number += 1) store(number, addNew(`1 key_1 ${number}`).hash);
    expect(await rowsFound()).toEqual(expected);
  });

  test('are loaded even if they have no stored hash, as after a move from PostgreSQL', async () => {
    for (let number = 0; number < MANY; number += 1) store(number, -1);
    expect(await rowsFound()).toEqual(expected);
  });
});
