import { expect, test } from 'bun:test';
import type { Counter } from '../sql.ts';
import type { SqliteConnection } from './connection.ts';
import { createWritingSql } from './sql.ts';

const COUNTER: Counter = { name: 'count', key: [1n], read: 'SELECT', set: 'UPDATE', add: 'UPDATE' };

const open = () => {
  const writer = { one: () => undefined, all: () => [], run: () => undefined };
  return createWritingSql(writer as unknown as SqliteConnection, async () => undefined);
};

test('a body has written once it has run anything but a SELECT', async () => {
  const { sql, begin, hasWritten } = open();
  expect([sql.isReadOnly, hasWritten()]).toEqual([false, false]);
  const writes = [
    () => sql.one('INSERT INTO pets DEFAULT VALUES RETURNING id', []),
    () => sql.all('DELETE FROM pets RETURNING id', []),
    () => sql.run('DELETE FROM pets', []),
  ];
  for (const write of writes) {
    begin();
    await sql.one('SELECT 1', []);
    await sql.all('SELECT 1', []);
    expect(hasWritten()).toBe(false);
    await write();
    expect(hasWritten()).toBe(true);
  }
});

test('a body has written a counter once the counters are in their tables', () => {
  const { sql, begin, hasWritten } = open();
  begin();
  void sql.writeCounters();
  void sql.add(COUNTER, 1);
  expect(hasWritten()).toBe(false);
  void sql.writeCounters();
  expect(hasWritten()).toBe(true);
});

test('the effects of a body are those since it began', () => {
  const writing = open();
  const effect = () => undefined;
  for (let times = 0; times < 2; times += 1) {
    writing.begin();
    writing.sql.afterCommit(effect);
    expect(writing.effects).toEqual([effect]);
  }
});
