import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Int64, Order, Page, Pet, PetStatus } from '../../client/src/index.ts';
import { COUNTS } from '../data/counts.ts';
import { firstPage } from '../data/list.ts';
import { nowAndWhenRead } from '../data/when-read.ts';

export type PetVersion = { pet: Pet; etag: string | undefined };

export const PETS = ['pets'] as const;
export const LISTS = [...PETS, 'list'] as const;
export const petKey = (id: string) => ['pets', 'one', id] as const;
/** The query key of a pet that is shown as part of an order. */
export const rowKey = (id: Int64 | string) => ['pets', 'row', String(id)] as const;
export const historyKey = (id: string) => ['pets', 'history', id] as const;
export const ordersKey = (id: string) => ['orders', 'of', id] as const;
export const OPEN_ORDERS = ['orders', 'open'] as const;
export const openKey = (status: 'placed' | 'approved') => [...OPEN_ORDERS, status] as const;

export type OpenOrders = { byPet: ReadonlyMap<string, Order>; hasOlder: boolean };

type Rows = Pet[];
type ListData = InfiniteData<Page<Pet>>;

const mapListsNow = (queries: QueryClient, map: (rows: Rows) => Rows): void => {
  queries.setQueriesData<ListData>(
    { queryKey: LISTS },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: map(page.items) })) },
  );
};

const mapLists = (queries: QueryClient, map: (rows: Rows) => Rows): void =>
  nowAndWhenRead(queries, LISTS, () => mapListsNow(queries, map));

/** Changes pets in all lists and drawers. Used for changes that have not reached the service yet. */
export const changePets = (queries: QueryClient, ids: ReadonlySet<string>, change: (pet: Pet) => Pet): void => {
  const changed = (pet: Pet) => (ids.has(String(pet.id)) ? change(pet) : pet);
  mapListsNow(queries, (rows) => rows.map(changed));
  for (const id of ids) {
    queries.setQueryData<PetVersion | null>(petKey(id), (kept) => kept && { ...kept, pet: changed(kept.pet) });
    queries.setQueryData<Pet | null>(rowKey(id), (kept) => kept && changed(kept));
  }
};

/** Does not change the pet if someone else has given it another status. */
export const showStatus = (queries: QueryClient, id: Int64, from: PetStatus, to: PetStatus): void =>
  changePets(queries, new Set([String(id)]), (pet) =>
    (pet.status ?? 'available') === from ? { ...pet, status: to } : pet,
  );

export const refreshPet = (queries: QueryClient, id: string): Promise<unknown> =>
  Promise.all(
    [ordersKey(id), petKey(id), rowKey(id), historyKey(id), COUNTS, OPEN_ORDERS].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );

export const putPets = (queries: QueryClient, pets: ReadonlyMap<string, Pet>): void =>
  mapLists(queries, (rows) => rows.map((row) => pets.get(String(row.id)) ?? row));

export const dropPets = (queries: QueryClient, ids: ReadonlySet<string>): void =>
  mapLists(queries, (rows) => rows.filter(({ id }) => !ids.has(String(id))));

export const reloadLists = (queries: QueryClient): void => {
  queries.setQueriesData<ListData>({ queryKey: LISTS }, (data) => data && firstPage(data));
  for (const queryKey of [LISTS, COUNTS]) void queries.invalidateQueries({ queryKey });
};
