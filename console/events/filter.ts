import type { EventType } from '../../client/src/index.ts';
import { EVENT_TYPES } from '../data/event-types.ts';
import type { LiveEvent } from '../data/live.ts';

export type Filter = { types: readonly EventType[]; pet: string; order: string };

export const readFilter = (search: URLSearchParams): Filter => {
  const named = (search.get('types') ?? '').split(',');
  return {
    types: EVENT_TYPES.filter((type) => named.includes(type)),
    pet: search.get('pet') ?? '',
    order: search.get('order') ?? '',
  };
};

export const writeFilter = (search: URLSearchParams, change: Partial<Filter>): URLSearchParams => {
  const { types, pet, order } = { ...readFilter(search), ...change };
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries({ types: types.join(','), pet, order })) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
};

export const isFiltered = ({ types, pet, order }: Filter): boolean => types.length > 0 || Boolean(pet || order);

export const askedType = ({ types }: Filter): EventType | undefined => (types.length === 1 ? types[0] : undefined);

/**
 * The service can filter only by a single event type. With any other filter, a page may contain few matches or none.
 */
export const isSparse = (filter: Filter): boolean => filter.types.length > 1 || Boolean(filter.pet || filter.order);

const isOfPet = ({ data: { object } }: LiveEvent, pet: string): boolean => {
  if ('petId' in object) return String(object.petId) === pet;
  return 'categoryId' in object && String(object.id) === pet;
};

const isOfOrder = ({ data: { object } }: LiveEvent, order: string): boolean =>
  'petId' in object && String(object.id) === order;

export const matches = (event: LiveEvent, { types, pet, order }: Filter): boolean =>
  (types.length === 0 || types.includes(event.type)) &&
  (!pet || isOfPet(event, pet)) &&
  (!order || isOfOrder(event, order));
