import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page, Pet } from '../../client/src/index.ts';
import { COUNTS } from '../data/counts.ts';
import { firstPage } from '../data/list.ts';
import { nowAndWhenRead } from '../data/when-read.ts';

export type PetVersion = { pet: Pet; etag: string | undefined };

export const LISTS = ['pets', 'list'] as const;
export const petKey = (id: string) => ['pets', 'one', id] as const;
export const historyKey = (id: string) => ['pets', 'history', id] as const;
export const ordersKey = (id: string) => ['orders', 'of', id] as const;
export const OPEN_ORDERS = ['orders', 'open'] as const;

type Rows = Pet[];
type ListData = InfiniteData<Page<Pet>>;

const mapLists = (queries: QueryClient, map: (rows: Rows) => Rows): void => {
  const mapPages = (data: ListData | undefined) =>
    data && { ...data, pages: data.pages.map((page) => ({ ...page, items: map(page.items) })) };
  nowAndWhenRead(queries, LISTS, () => queries.setQueriesData<ListData>({ queryKey: LISTS }, mapPages));
};

export const putPets = (queries: QueryClient, pets: ReadonlyMap<string, Pet>): void =>
  mapLists(queries, (rows) => rows.map((row) => pets.get(String(row.id)) ?? row));

export const dropPets = (queries: QueryClient, ids: ReadonlySet<string>): void =>
  mapLists(queries, (rows) => rows.filter(({ id }) => !ids.has(String(id))));

export const reloadLists = (queries: QueryClient): void => {
  queries.setQueriesData<ListData>({ queryKey: LISTS }, (data) => data && firstPage(data));
  for (const queryKey of [LISTS, COUNTS]) void queries.invalidateQueries({ queryKey });
};
