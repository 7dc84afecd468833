import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { openSqlite } from './database.ts';

let directory: string;
let database: Database<Sql, Sql>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  database = openSqlite({ path: join(directory, 'petstore.db'), environment: 'production', bind: (sql: Sql) => sql });
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

const openStore = (sql: Sql, id: number) =>
  sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [id]);
const stores = async () => database.read(1n).all('SELECT id FROM stores ORDER BY id', []);

describe('an effect after the commit', () => {
  test('runs once the commit is visible to all, and before the write is answered', async () => {
    const seen: string[] = [];
    const writing = database.write(SYSTEM_CALL, async (sql) => {
      await openStore(sql, 7);
      sql.afterCommit(() => {
        void stores().then((rows) => seen.push(`seen ${rows.length}`));
        seen.push('after commit');
      });
      seen.push('body');
    });
    await writing.then(() => seen.push('answered'));
    await stores();
    expect(seen).toEqual(['body', 'after commit', 'seen 1', 'answered']);
  });

  test('runs for each committed transaction of a group, and for none that was rolled back', async () => {
    const seen: number[] = [];
    const write = (id: number, fails: boolean) =>
      database.write(SYSTEM_CALL, async (sql) => {
        await openStore(sql, id);
        sql.afterCommit(() => seen.push(id));
        if (fails) throw new Error('no');
      });
    await Promise.allSettled([write(2, false), write(3, true), write(4, false)]);
    await Promise.allSettled([write(5, true)]);
    expect(seen).toEqual([2, 4]);
    expect(await stores()).toEqual([{ id: 2n }, { id: 4n }]);
  });

  test('is refused outside a transaction, as are ids and changes', async () => {
    const sql = database.read(1n);
    expect(() => sql.afterCommit(() => undefined)).toThrow('outside a transaction');
    await expect(sql.nextId('pets', 1n)).rejects.toThrow('outside a transaction');
    await expect(openStore(sql, 9)).rejects.toThrow();
    expect(await stores()).toEqual([]);
  });
});
