import { expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { Sql } from '../storage/sql.ts';
import type { Sequencer } from '../streaming/sequencer.ts';
import { bindRepositories } from './repositories.ts';

const SQL = { writer: 0n } as Sql;

const createCountedBind = () => {
  let made = 0;
  const bind = bindRepositories({
    clock: () => 0,
    randomText: () => 'text',
    keyChanges: { publish: () => undefined },
    sequencer: () => {
      made += 1;
      return {} as Sequencer;
    },
  });
  return { bind: (sql: Sql, storeId: bigint) => bind(sql, { ...SYSTEM_CALL, storeId }), made: () => made };
};

test('repositories are created once per store and connection, not per call', () => {
  const { bind, made } = createCountedBind();
  const first = bind(SQL, 1n);
  expect(bind(SQL, 1n).pets).toBe(first.pets);
  expect(made()).toBe(1);
  expect(bind(SQL, 2n).pets).not.toBe(first.pets);
  expect(bind({ ...SQL }, 1n).pets).not.toBe(first.pets);
  expect(made()).toBe(3);
});

test('the repositories of at most 200 stores are cached', () => {
  const { bind, made } = createCountedBind();
  for (let storeId = 1n; storeId <= 200n; storeId++) bind(SQL, storeId);
  bind(SQL, 1n);
  expect(made()).toBe(200);
  bind(SQL, 201n);
  bind(SQL, 1n);
  expect(made()).toBe(202);
});
