import type { EventType, ListEventsQuery } from '../../client/src/index.ts';
import { EVENT_TYPES } from '../data/event-types.ts';
import type { LiveEvent } from '../data/live.ts';

/** `by` is the id of the key that made the change. */
export type Filter = { types: readonly EventType[]; pet: string; order: string; by: string };

export const NO_FILTER: Filter = { types: [], pet: '', order: '', by: '' };

export const readFilter = (search: URLSearchParams): Filter => {
  const named = (search.get('types') ?? '').split(',');
  return {
    types: EVENT_TYPES.filter((type) => named.includes(type)),
    pet: search.get('pet') ?? '',
    order: search.get('order') ?? '',
    by: search.get('by') ?? '',
  };
};

export const writeFilter = (search: URLSearchParams, change: Partial<Filter>): URLSearchParams => {
  const { types, pet, order, by } = { ...readFilter(search), ...change };
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries({ types: types.join(','), pet, order, by })) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
};

export const isFiltered = ({ types, pet, order, by }: Filter): boolean =>
  types.length > 0 || Boolean(pet || order || by);

/**
 * The service can filter by only one event type. If the user chooses several types, the console filters the events
 * itself.
 */
export const askedOf = ({
  types,
  pet,
  order,
  by,
}: Filter): Pick<ListEventsQuery, 'type' | 'petId' | 'orderId' | 'keyId'> => ({
  ...(types.length === 1 && types[0] ? { type: types[0] } : {}),
  ...(pet ? { petId: BigInt(pet) } : {}),
  ...(order ? { orderId: BigInt(order) } : {}),
  ...(by ? { keyId: by } : {}),
});

/** True if the user chose several types. In that case, a page from the service may contain few matches or none. */
export const isSparse = ({ types }: Filter): boolean => types.length > 1;

const isOfPet = ({ data: { object } }: LiveEvent, pet: string): boolean => {
  if ('petId' in object) return String(object.petId) === pet;
  return 'categoryId' in object && String(object.id) === pet;
};

const isOfOrder = ({ data: { object } }: LiveEvent, order: string): boolean =>
  'petId' in object && String(object.id) === order;

export const matches = (event: LiveEvent, { types, pet, order, by }: Filter): boolean =>
  (types.length === 0 || types.includes(event.type)) &&
  (!pet || isOfPet(event, pet)) &&
  (!by || event.actor?.keyId === by) &&
  (!order || isOfOrder(event, order));
