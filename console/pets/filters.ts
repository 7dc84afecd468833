import { useSearchParams } from 'wouter';
import type { ListPetsQuery, Pet, PetStatus } from '../../client/src/index.ts';
import { STATUSES } from './moves.ts';

export const SORTS = {
  newest: { label: 'Newest first', query: { order: 'desc' } },
  oldest: { label: 'Oldest first', query: { order: 'asc' } },
  name: { label: 'Name, A to Z', query: { sort: 'name', order: 'asc' } },
  'name-desc': { label: 'Name, Z to A', query: { sort: 'name', order: 'desc' } },
} as const satisfies Record<string, { label: string; query: ListPetsQuery }>;

export type Sort = keyof typeof SORTS;

export type Filters = { status?: PetStatus; categoryId?: string; name?: string; ids?: string; sort: Sort };

const INT64 = /^-?\d{1,19}$/;

/** The service's maximum number of ids per request. */
const MAX_IDS = 100;

/** @internal */
export const readIds = (text: string): string | undefined => {
  const ids = new Set(text.split(/[\s,;]+/).filter((id) => id !== ''));
  if (ids.size > MAX_IDS || ![...ids].every((id) => INT64.test(id))) return undefined;
  return [...ids].join(',');
};

const LIKE_IDS = /^[\d\s,;]+$/;
const QUOTED = /^"(.*)"$/s;

/** Numbers are ids, and any other text is a name. Quotes around a number mark it as a name. */
export const readSearch = (text: string): Pick<Record<Param, string>, 'name' | 'ids'> | undefined => {
  const meant = text.trim();
  if (!LIKE_IDS.test(meant)) return { name: (QUOTED.exec(meant)?.[1] ?? meant).trim(), ids: '' };
  const ids = readIds(meant);
  return ids === undefined ? undefined : { name: '', ids };
};

export const showSearch = ({ name, ids }: Filters): string =>
  ids?.replaceAll(',', ', ') ?? (name !== undefined && LIKE_IDS.test(name) ? `"${name}"` : (name ?? ''));

export const isNarrow = ({ categoryId, name, ids }: Filters): boolean => Boolean(categoryId || name || ids);

/** @internal */
export const readFilters = (params: URLSearchParams): Filters => {
  const status = STATUSES.find((one) => one === params.get('status'));
  const categoryId = INT64.exec(params.get('categoryId') ?? '')?.[0];
  const ids = readIds(params.get('ids') ?? '');
  const name = ids ? undefined : params.get('name')?.trim();
  const sort = (Object.keys(SORTS) as Sort[]).find((one) => one === params.get('sort')) ?? 'newest';
  return {
    sort,
    ...(status ? { status } : {}),
    ...(categoryId ? { categoryId } : {}),
    ...(ids ? { ids } : {}),
    ...(name ? { name } : {}),
  };
};

export const toQuery = ({ status, categoryId, name, ids, sort }: Filters): ListPetsQuery => ({
  ...(status ? { status } : {}),
  ...(categoryId ? { categoryId: BigInt(categoryId) } : {}),
  ...(name ? { search: name } : {}),
  ...(ids ? { ids: ids.split(',').map(BigInt) } : {}),
  ...SORTS[sort].query,
});

export const toSearch = ({ sort, ...filters }: Filters): string =>
  new URLSearchParams({ ...filters, ...(sort === 'newest' ? {} : { sort }) }).toString();

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

export const fits = (pet: Pet, { status, categoryId, name, ids }: Filters): boolean =>
  (!status || pet.status === status) &&
  (!categoryId || String(pet.categoryId) === categoryId) &&
  (!ids || ids.split(',').includes(String(pet.id))) &&
  (!name || fold(pet.name).includes(fold(name)));

type Param = 'status' | 'categoryId' | 'name' | 'ids' | 'sort' | 'pet' | 'do';
type Parts = Partial<Record<Param, string>>;

const withParts = (old: URLSearchParams, parts: Parts): URLSearchParams => {
  const next = new URLSearchParams(old);
  for (const [name, value] of Object.entries(parts)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
};

export const useAddress = () => {
  const [params, setParams] = useSearchParams();
  return {
    filters: readFilters(params),
    petId: /^\d{1,19}$/.exec(params.get('pet') ?? '')?.[0],
    action: params.get('do'),
    /** The Back button undoes the change, unless `replace` is set. */
    change: (parts: Parts, options?: { replace: boolean }) => setParams((old) => withParts(old, parts), options),
    hrefOf: (parts: Parts): string => `/pets?${withParts(params, parts)}`,
  };
};
