import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRows } from '../../test/database.ts';
import { chain, type MaybePromise } from '../kernel/maybe-promise.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createCounters } from './counters.ts';
import type { Database } from './database.ts';
import type { Counter, Sql, SqlValue } from './sql.ts';
import { openSqlite } from './sqlite.ts';

const sequence: Counter = {
  name: 'sequence 1',
  table: 'stores',
  key: [1n],
  add: 'UPDATE stores SET last_sequence = last_sequence + $2 WHERE id = $1',
  read: 'SELECT last_sequence AS total FROM stores WHERE id = $1',
};

describe('numbers that are added to in a group of transactions', () => {
  let directory: string;
  let path: string;
  let database: Database<{ sql: Sql }, { sql: Sql }>;
  const write = <Result>(body: (sql: Sql) => MaybePromise<Result>) =>
    database.write(SYSTEM_CALL, ({ sql }: { sql: Sql }) => body(sql));
  const stored = async () => (await readRows(path, 'SELECT last_sequence FROM stores WHERE id = 1'))[0].last_sequence;
  const asked = async (sql: Sql) => (await sql.one<{ total: bigint }>(sequence.read, sequence.key))?.total;
  const fail = () => {
    throw new Error('on purpose');
  };
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
    path = join(directory, 'petstore.db');
    database = openSqlite({ path, environment: 'production', bind: (sql) => ({ sql }) });
    await write((sql) => sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (1, 0, 10)', []));
  });
  afterEach(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  test('are on disk with the commit', async () => {
    await Promise.all([1, 2, 3].map((by) => write((sql) => sql.add(sequence, by))));
    expect(await stored()).toBe(16);
  });

  test('come to what all before have added, and go on from there in the next group', async () => {
    const next = async (sql: Sql) => {
      await sql.add(sequence, 1);
      return sql.total(sequence);
    };
    expect(await Promise.all([write(next), write(next), write(next)])).toEqual([11n, 12n, 13n]);
    expect(await write(next)).toBe(14n);
    expect(await stored()).toBe(14);
  });

  test('are taken back with a transaction that fails, alone or among others', async () => {
    const failing = async (sql: Sql) => {
      await sql.add(sequence, 100);
      await sql.total(sequence);
      fail();
    };
    await expect(write(failing)).rejects.toThrow('on purpose');
    expect(await write((sql) => sql.total(sequence))).toBe(10n);
    const [first, second, third] = await Promise.allSettled([
      write((sql) => sql.add(sequence, 1)),
      write(failing),
      write((sql) => chain(sql.add(sequence, 2), () => sql.total(sequence))),
    ]);
    expect([first.status, second.status, third]).toEqual([
      'fulfilled',
      'rejected',
      { status: 'fulfilled', value: 13n },
    ] as any);
    expect(await stored()).toBe(13);
  });

  test('are whole for a statement that asks their table, in the same transaction and in a later one of the group', async () => {
    const [, own, later] = await Promise.all([
      write((sql) => sql.add(sequence, 1)),
      write((sql) => chain(sql.add(sequence, 2), () => asked(sql))),
      write(asked),
    ]);
    expect([own, later]).toEqual([13n, 13n]);
    expect(await stored()).toBe(13);
  });

  test('lose nothing of others when a transaction fails that made them be written', async () => {
    const failing = async (sql: Sql) => {
      await sql.add(sequence, 100);
      await asked(sql);
      await sql.add(sequence, 1000);
      fail();
    };
    const [, failed, total] = await Promise.allSettled([
      write((sql) => sql.add(sequence, 1)),
      write(failing),
      write((sql) => sql.total(sequence)),
      write((sql) => sql.add(sequence, 2)),
    ]);
    expect([failed.status, total]).toEqual(['rejected', { status: 'fulfilled', value: 11n }] as any);
    expect(await stored()).toBe(13);
  });

  test('are read afresh after a group that was not committed', async () => {
    const lost = write(async (sql) => {
      await sql.add(sequence, 1);
      await sql.total(sequence);
      // The whole transaction ends here, as when the disk is full.
      await sql.run('ROLLBACK', []);
    });
    await expect(lost).rejects.toThrow();
    expect(await write((sql) => sql.total(sequence))).toBe(10n);
  });

  test('do not exist where there is no row', async () => {
    expect(await write((sql) => sql.total({ ...sequence, name: 'sequence 2', key: [2n] }))).toBeUndefined();
  });

  test('are never added to outside a transaction', async () => {
    await expect(database.read(1n).sql.add(sequence, 1)).rejects.toThrow('outside a transaction');
    await expect(database.read(1n).sql.total(sequence)).rejects.toThrow('outside a transaction');
  });
});

test('what sixty-four transactions add is one statement, and what comes to nothing is none', () => {
  const said: [string, readonly SqlValue[]][] = [];
  const sums = createCounters({ one: () => undefined, run: (text, values) => said.push([text, values]) });
  const nothing = { ...sequence, name: 'nothing' };
  sums.begin();
  for (let count = 0; count < 64; count += 1) {
    sums.add(sequence, 2);
    sums.add(nothing, count % 2 ? 1 : -1);
    sums.endBody();
  }
  sums.settleFor('SELECT 1 FROM pets');
  expect(said).toEqual([]);
  sums.save();
  expect(said).toEqual([[sequence.add, [1n, 128]]]);
});

test('what was written before one that cannot be written counts once, when the transaction is undone', () => {
  const said: [string, readonly SqlValue[]][] = [];
  let isFull = true;
  const full = { ...sequence, name: 'full', add: 'INSERT' };
  const sums = createCounters({
    one: () => undefined,
    run: (text, values) => {
      if (isFull && text === full.add) throw new Error('the disk is full');
      said.push([text, values]);
    },
  });
  sums.begin();
  sums.add(sequence, 5);
  sums.add(full, 7);
  sums.endBody();
  expect(() => sums.settleFor(sequence.read)).toThrow('the disk is full');
  sums.undoBody();
  isFull = false;
  said.length = 0;
  sums.save();
  expect(said.sort()).toEqual([
    [full.add, [1n, 7]],
    [sequence.add, [1n, 5]],
  ]);
});
