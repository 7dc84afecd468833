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

test.each([
  ['the only writer', { isSoleWriter: true }, 1000n],
  ['a connection for reads', { isReadOnly: true }, 1000n],
  ['one of many connections for writes', {}, 50n],
])('for %s, the repositories of a limited number of stores are cached', (_, kind, most) => {
  const { bind, made } = createCountedBind();
  const sql = { ...SQL, ...kind } as Sql;
  for (let storeId = 1n; storeId <= most; storeId++) bind(sql, storeId);
  bind(sql, 1n);
  expect(made()).toBe(Number(most));
  bind(sql, most + 1n);
  bind(sql, 1n);
  expect(made()).toBe(Number(most) + 2);
});
