import { expect, test } from 'bun:test';
import { fakeGroupCommitDeps } from '../../../test/group-commit.ts';
import { connectSqlite } from './connection.ts';
import { createGroupCommit } from './group-commit.ts';

test('a long transaction runs once, without a savepoint, and is committed with later arrivals even if some of them fail', async () => {
  const connection = connectSqlite(':memory:');
  connection.script('CREATE TABLE rows (value TEXT NOT NULL UNIQUE)');
  let [runs, savepoints, commits] = [0, 0, 0];
  const run: typeof connection.run = (text, values) => {
    if (text.startsWith('SAVEPOINT')) savepoints += 1;
    if (text === 'COMMIT') commits += 1;
    connection.run(text, values);
  };
  const groups = createGroupCommit({ ...fakeGroupCommitDeps(), writer: { ...connection, run } });
  const insert = (value: string) => async () => groups.sql.run('INSERT INTO rows (value) VALUES ($1)', [value]);
  const others: Promise<unknown>[] = [];
  const long = async () => {
    runs += 1;
    if (runs === 1) for (const value of ['beside', 'beside', 'after']) others.push(groups.run(insert(value)));
    return insert('long')();
  };
  await groups.run(long, true);
  const seen = await Promise.allSettled(others);
  const stored = connection.all('SELECT value FROM rows ORDER BY value', []);
  connection.close();
  expect(seen.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([runs, savepoints, commits]).toEqual([1, 3, 1]);
  expect(stored).toEqual([{ value: 'after' }, { value: 'beside' }, { value: 'long' }]);
});
