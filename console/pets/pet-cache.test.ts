import { describe, expect, test } from 'bun:test';
import { QueryClient } from '@tanstack/react-query';
import type { Pet } from '../../client/src/index.ts';
import { dropPets, LISTS, putPets, reloadLists } from './pet-cache.ts';

type Data = { pages: { items: { id: number; name: string }[] }[]; pageParams: string[] };

const named = (id: number, name = 'old') => ({ id, name });
const TWO_PAGES: Data = { pages: [{ items: [named(1), named(2)] }, { items: [named(3)] }], pageParams: ['', 'next'] };
const KEY = [...LISTS, 'all'];

const create = () => {
  const queries = new QueryClient();
  queries.setQueryData(KEY, TWO_PAGES);
  const rows = () =>
    (queries.getQueryData(KEY) as Data).pages.map(({ items }) => items.map(({ id, name }) => `${id} ${name}`));
  return { queries, rows };
};
const change = new Map([['3', named(3, 'new') as unknown as Pet]]);

describe('pets in the cached lists', () => {
  test('are replaced in place, and only those that changed', () => {
    const { queries, rows } = create();
    putPets(queries, change);
    expect(rows()).toEqual([['1 old', '2 old'], ['3 new']]);
  });

  test('disappear once they are deleted', () => {
    const { queries, rows } = create();
    dropPets(queries, new Set(['1', '3']));
    expect(rows()).toEqual([['2 old'], []]);
  });

  test('keep a change that happened while a list was being read', async () => {
    const { queries, rows } = create();
    const { promise, resolve } = Promise.withResolvers<Data>();
    const reading = queries.fetchQuery({ queryKey: KEY, queryFn: () => promise, staleTime: 0 });
    putPets(queries, change);
    expect(rows()[1]).toEqual(['3 new']);
    resolve({ pages: [{ items: [named(3)] }], pageParams: [''] });
    await reading;
    await Promise.resolve();
    expect(rows()).toEqual([['3 new']]);
  });

  test('are read again from their first page only', () => {
    const { queries, rows } = create();
    reloadLists(queries);
    expect(rows()).toEqual([['1 old', '2 old']]);
    expect((queries.getQueryData(KEY) as Data).pageParams).toEqual(['']);
    expect(queries.getQueryState(KEY)?.isInvalidated).toBe(true);
  });
});
