import { expect, test } from 'bun:test';
import { connectSqlite } from './connection.ts';
import { createGroupCommit } from './group-commit.ts';

test('a transaction that takes long runs once, with no savepoint, and is committed with those who come meanwhile, whoever fails of them', async () => {
  const connection = connectSqlite(':memory:');
  connection.script('CREATE TABLE rows (value TEXT NOT NULL UNIQUE)');
  let [runs, savepoints, commits, hasWritten] = [0, 0, 0, false];
  const savepoint = () => {
    savepoints += 1;
    connection.savepoint();
  };
  const commit = () => {
    commits += 1;
    connection.commit();
  };
  const groups = createGroupCommit({
    connection: { ...connection, mustWork: () => undefined, savepoint, commit },
    bodies: {
      begin: () => {
        hasWritten = false;
      },
      undo: () => undefined,
      hasWritten: () => hasWritten,
    },
    disk: {
      sync: async () => undefined,
      syncNow: () => undefined,
      needsCheckpoint: () => false,
      finishCheckpoint: async () => undefined,
    },
  });
  const insert = (value: string) => async () => {
    hasWritten = true;
    connection.run('INSERT INTO rows (value) VALUES ($1)', [value]);
  };
  const others: Promise<unknown>[] = [];
  const long = async () => {
    runs += 1;
    if (runs === 1) for (const value of ['beside', 'beside', 'after']) others.push(groups.run(insert(value)));
    return insert('long')();
  };
  await groups.run(long, true);
  const told = await Promise.allSettled(others);
  const stored = connection.all('SELECT value FROM rows ORDER BY value', []);
  connection.close();
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([runs, savepoints, commits]).toEqual([1, 3, 1]);
  expect(stored).toEqual([{ value: 'after' }, { value: 'beside' }, { value: 'long' }]);
});
