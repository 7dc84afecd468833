import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRows } from '../../../test/database.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import type { Database } from '../database.ts';
import type { Counter, Sql, SqlValue } from '../sql.ts';
import { createCounters } from './counters.ts';
import { openSqlite } from './database.ts';

const sequence: Counter = {
  name: 'sequence 1',
  key: [1n],
  read: 'SELECT last_sequence AS total FROM stores WHERE id = $1',
  set: 'UPDATE stores SET last_sequence = $2 WHERE id = $1',
  add: 'UPDATE stores SET last_sequence = last_sequence + $2 WHERE id = $1',
};

describe('counters in a group of transactions', () => {
  let directory: string;
  let path: string;
  let database: Database<{ sql: Sql }, { sql: Sql }>;
  const write = <Result>(body: (sql: Sql) => MaybePromise<Result>) =>
    database.write(SYSTEM_CALL, ({ sql }: { sql: Sql }) => body(sql));
  const stored = async () => (await readRows(path, 'SELECT last_sequence FROM stores WHERE id = 1'))[0].last_sequence;
  const asked = async (sql: Sql) => {
    await sql.writeCounters();
    return (await sql.one<{ total: bigint }>(sequence.read, sequence.key))?.total;
  };
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

  test('include all earlier additions, and continue in the next group', async () => {
    const next = async (sql: Sql) => {
      await sql.add(sequence, 1);
      return sql.total(sequence);
    };
    expect(await Promise.all([write(next), write(next), write(next)])).toEqual([11n, 12n, 13n]);
    expect(await write(next)).toBe(14n);
    expect(await stored()).toBe(14);
  });

  test('are undone with a failed transaction, alone or among others', async () => {
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
      write(async (sql) => {
        await sql.add(sequence, 2);
        return sql.total(sequence);
      }),
    ]);
    expect([first.status, second.status, third]).toEqual([
      'fulfilled',
      'rejected',
      { status: 'fulfilled', value: 13n },
    ] as any);
    expect(await stored()).toBe(13);
  });

  test('are complete for a statement after writeCounters, in the same transaction and in a later one', async () => {
    const [, own, later] = await Promise.all([
      write((sql) => sql.add(sequence, 1)),
      write(async (sql) => {
        await sql.add(sequence, 2);
        return asked(sql);
      }),
      write(asked),
    ]);
    expect([own, later]).toEqual([13n, 13n]);
    expect(await stored()).toBe(13);
  });

  test('keep the additions of other transactions when a transaction that wrote the counters fails', async () => {
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

  test('are read from the table again after a group that was not committed', async () => {
    const lost = write(async (sql) => {
      await sql.add(sequence, 1);
      await sql.total(sequence);
      await sql.run('ROLLBACK', []);
    });
    await expect(lost).rejects.toThrow();
    expect(await write((sql) => sql.total(sequence))).toBe(10n);
  });

  test('never show a row that was rolled back', async () => {
    const other = { ...sequence, name: 'sequence 2', key: [2n] };
    const open = async (sql: Sql, by: number) => {
      await sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (2, 0, 5)', []);
      if (by > 0) await sql.add(other, by);
      return sql.total(other);
    };
    const undone = (by: number) => (sql: Sql) => open(sql, by).then(fail);
    const total = (sql: Sql) => sql.total(other);
    for (const by of [0, 1]) {
      const seen = await Promise.allSettled([write((sql) => sql.add(sequence, 1)), write(undone(by)), write(total)]);
      expect(seen[2]).toEqual({ status: 'fulfilled', value: undefined } as any);
    }
    const lost = write(async (sql) => {
      await open(sql, 0);
      await sql.run('ROLLBACK', []);
    });
    await expect(lost).rejects.toThrow();
    expect(await write(total)).toBeUndefined();
    expect(await write((sql) => open(sql, 3))).toBe(8n);
  });

  test('are undefined without a row', async () => {
    expect(await write((sql) => sql.total({ ...sequence, name: 'sequence 2', key: [2n] }))).toBeUndefined();
  });

  test('cannot change outside a transaction', async () => {
    await expect(database.read(1n).sql.add(sequence, 1)).rejects.toThrow('outside a transaction');
    await expect(database.read(1n).sql.total(sequence)).rejects.toThrow('outside a transaction');
  });

  test('stay exact for more stores than fit in memory', async () => {
    const COUNT = 1200;
    const of = (id: number): Counter => ({ ...sequence, name: `sequence ${id}`, key: [id] });
    const ids = Array.from({ length: COUNT }, (_, index) => index + 2);
    await write(async (sql) => {
      for (const id of ids) await sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [id]);
    });
    for (const by of [1, 2]) await Promise.all(ids.map((id) => write((sql) => sql.add(of(id), by))));
    const sums = await readRows(path, 'SELECT DISTINCT last_sequence FROM stores WHERE id > 1');
    expect(sums).toEqual([{ last_sequence: 3 }]);
  });
});

describe('ids', () => {
  test('are never handed out twice, even after a failed transaction or an uncommitted group', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
    const path = join(directory, 'petstore.db');
    const open = () => openSqlite<Sql, Sql>({ path, environment: 'production', bind: (sql: Sql) => sql });
    let database = open();
    const next = (end: (sql: Sql) => MaybePromise<unknown> = () => undefined) =>
      database.write(SYSTEM_CALL, async (sql) => {
        const id = await sql.nextId('pets', 1n);
        await sql.nextId('orders', 1n);
        await end(sql);
        return id;
      });
    const fail = () => {
      throw new Error('on purpose');
    };
    expect(await next()).toBe(1n);
    const seen = await Promise.allSettled([next(), next(fail), next()]);
    expect(seen.map((one) => ('value' in one ? one.value : undefined))).toEqual([2n, undefined, 4n]);
    await expect(next((sql) => sql.run('ROLLBACK', []))).rejects.toThrow();
    expect(await next()).toBe(6n);
    await expect(next(fail)).rejects.toThrow('on purpose');
    expect(await database.write(SYSTEM_CALL, (sql) => sql.nextId('pets', 2n))).toBe(1n);
    await database.close();
    database = open();
    expect(await next()).toBe(8n);
    await database.close();
    rmSync(directory, { recursive: true });
  });
});

test('the additions of 64 transactions are written by one statement, and a counter is read once for all groups', () => {
  const asked: string[] = [];
  const said: [string, readonly SqlValue[]][] = [];
  const counters = createCounters({
    one: (text) => {
      asked.push(text);
      return undefined;
    },
    run: (text, values) => said.push([text, values]),
  });
  const commitGroup = (transactions: number) => {
    counters.beginGroup();
    for (let count = 0; count < transactions; count += 1) {
      counters.beginTransaction();
      counters.nextId('pets', 7n);
      counters.add(sequence, 2);
    }
    expect(said).toEqual([]);
    counters.writeCounters();
    counters.committed();
    return said.splice(0).map(([, values]) => values as unknown);
  };
  expect(commitGroup(64)).toEqual([
    [7n, 'pets', 64n],
    [1n, 128n],
  ]);
  expect(commitGroup(1)).toEqual([
    [7n, 'pets', 65n],
    [1n, 130n],
  ]);
  expect(commitGroup(0)).toEqual([]);
  expect(asked).toHaveLength(2);
});

describe('counters', () => {
  const open = (highest: bigint | undefined) => {
    const ran: (readonly SqlValue[])[] = [];
    const counters = createCounters({
      one: () => (highest === undefined ? undefined : { total: highest }),
      run: (_, values) => void ran.push(values),
    });
    return { counters, ran };
  };

  test('hand out several ids together, none of them twice', () => {
    const { counters, ran } = open(6n);
    expect(counters.nextId('pets', 1n)).toBe(7n);
    expect(counters.nextIds('pets', 1n, 3)).toEqual([8n, 9n, 10n]);
    expect(counters.nextId('pets', 1n)).toBe(11n);
    counters.writeCounters();
    expect(ran).toEqual([[1n, 'pets', 11n]]);
  });

  test('start at 1', () => {
    expect(open(undefined).counters.nextIds('orders', 1n, 2)).toEqual([1n, 2n]);
  });

  test('write nothing for a counter that only a failed transaction changed', () => {
    const { counters, ran } = open(10n);
    counters.beginTransaction();
    counters.add(sequence, 5);
    counters.undoTransaction();
    counters.writeCounters();
    expect(ran).toEqual([]);
    expect(counters.total(sequence)).toBe(10n);
  });

  test('stay in memory between commits if there are fewer than 1,000; otherwise, they are read again', () => {
    let reads = 0;
    const one = () => {
      reads += 1;
      return { total: 10n };
    };
    const counters = createCounters({ one, run: () => undefined });
    const counterOf = (number: number): Counter => ({ ...sequence, name: `sequence ${number}` });
    const readAfter = (count: number): number => {
      for (let number = 1; number <= count; number += 1) counters.add(counterOf(number), 1);
      counters.committed();
      reads = 0;
      counters.total(counterOf(1));
      return reads;
    };
    expect([readAfter(999), readAfter(1000)]).toEqual([0, 1]);
  });
});
