import { expect, test } from 'bun:test';
import { fakeGroupCommitDeps } from '../../../test/group-commit.ts';
import type { Counter } from '../sql.ts';
import { createGroupTransaction, runBodies } from './group-transaction.ts';

const COUNTER: Counter = { name: 'count', key: [1n], read: 'SELECT', set: 'UPDATE', add: 'UPDATE' };

const open = () =>
  createGroupTransaction({
    ...fakeGroupCommitDeps(),
    elapsed: () => 0,
    whileWaiting: () => undefined,
    pause: async () => undefined,
  });

test('a body counts as having written after it has run anything but a SELECT', async () => {
  const transaction = open();
  const { sql } = transaction;
  expect([sql.isReadOnly, transaction.hasWritten]).toEqual([false, false]);
  const writes = [
    () => sql.one('INSERT INTO pets DEFAULT VALUES RETURNING id', []),
    () => sql.all('DELETE FROM pets RETURNING id', []),
    () => sql.run('DELETE FROM pets', []),
  ];
  for (const write of writes) {
    transaction.hasWritten = false;
    await sql.one('SELECT 1', []);
    await sql.all('SELECT 1', []);
    expect(transaction.hasWritten).toBe(false);
    await write();
    expect(transaction.hasWritten).toBe(true);
  }
});

test('a body counts as having written a counter after writeCounters has written the counter to its table', () => {
  const transaction = open();
  const { sql } = transaction;
  void sql.writeCounters();
  void sql.add(COUNTER, 1);
  expect(transaction.hasWritten).toBe(false);
  void sql.writeCounters();
  expect(transaction.hasWritten).toBe(true);
});

test('the effects of a body are those added since it began', async () => {
  const transaction = open();
  const effect = () => undefined;
  const seen: unknown[] = [];
  const body = (effects: Iterable<unknown>) => {
    transaction.sql.afterCommit(effect);
    seen.push(...effects);
  };
  const queued = { body, queuedAt: 0, outcome: undefined, resolve: effect, reject: effect };
  const group = { transactions: [queued, queued], isLong: false, ran: 0, succeeded: 0 };
  await runBodies(transaction, group);
  expect(seen).toEqual([effect, effect]);
});
