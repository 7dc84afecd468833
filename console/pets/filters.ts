import { useSearchParams } from 'wouter';
import type { ListPetsQuery, Pet, PetStatus } from '../../client/src/index.ts';
import { STATUSES } from './moves.ts';

export const SORTS = {
  newest: { label: 'Newest first', query: { order: 'desc' } },
  oldest: { label: 'Oldest first', query: { order: 'asc' } },
  name: { label: 'Name, A to Z', query: { sort: 'name', order: 'asc' } },
  'name-desc': { label: 'Name, Z to A', query: { sort: 'name', order: 'desc' } },
} as const satisfies Record<string, { label: string; query: ListPetsQuery }>;

type Sort = keyof typeof SORTS;

export type Filters = { status?: PetStatus; categoryId?: string; name?: string; ids?: string; sort: Sort };

const INT64 = /^-?\d{1,19}$/;

/** The service's maximum number of ids per request. */
const MAX_IDS = 100;

export const readIds = (text: string): string | undefined => {
  const ids = new Set(text.split(/[\s,;]+/).filter((id) => id !== ''));
  if (ids.size > MAX_IDS || ![...ids].every((id) => INT64.test(id))) return undefined;
  return [...ids].join(',');
};

export const isNarrow = ({ categoryId, name, ids }: Filters): boolean => Boolean(categoryId || name || ids);

/** @internal */
export const readFilters = (params: URLSearchParams): Filters => {
  const status = STATUSES.find((one) => one === params.get('status'));
  const categoryId = INT64.exec(params.get('categoryId') ?? '')?.[0];
  const name = params.get('name')?.trim();
  const ids = readIds(params.get('ids') ?? '');
  const sort = (Object.keys(SORTS) as Sort[]).find((one) => one === params.get('sort')) ?? 'newest';
  return {
    ...(status ? { status } : {}),
    ...(categoryId ? { categoryId } : {}),
    ...(ids ? { ids } : {}),
    // If there is a name filter, the service can sort only by name.
    ...(name ? { name, sort: sort === 'name-desc' ? sort : 'name' } : { sort }),
  };
};

export const toQuery = ({ status, categoryId, name, ids, sort }: Filters): ListPetsQuery => ({
  ...(status ? { status } : {}),
  ...(categoryId ? { categoryId: BigInt(categoryId) } : {}),
  ...(name ? { name } : {}),
  ...(ids ? { ids: ids.split(',').map(BigInt) } : {}),
  ...SORTS[sort].query,
});

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

export const fits = (pet: Pet, { status, categoryId, name, ids }: Filters): boolean =>
  (!status || pet.status === status) &&
  (!categoryId || String(pet.categoryId) === categoryId) &&
  (!ids || ids.split(',').includes(String(pet.id))) &&
  (!name || fold(pet.name).startsWith(fold(name)));

type Param = 'status' | 'categoryId' | 'name' | 'ids' | 'sort' | 'pet' | 'do';

export const useAddress = () => {
  const [params, setParams] = useSearchParams();
  const change = (parts: Partial<Record<Param, string>>, options?: { replace: boolean }) =>
    setParams((old) => {
      const next = new URLSearchParams(old);
      for (const [name, value] of Object.entries(parts)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    }, options);
  return {
    filters: readFilters(params),
    petId: /^\d{1,19}$/.exec(params.get('pet') ?? '')?.[0],
    action: params.get('do'),
    change,
  };
};
