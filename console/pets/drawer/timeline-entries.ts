import type { Categories } from '../../../cli/rows/category.ts';
import type { Category, Event, HistoryEntry, Int64, Order, Pet } from '../../../client/src/index.ts';
import { isolated } from '../../kit/text.ts';
import { texts } from '../texts.ts';

export type Entry = { key: string; at: string; text: string; keyId: string | undefined; orderId: Int64 | undefined };

type Change = { field: string; from: unknown; to: unknown };

const changesOf = (data: Event['data']): Change[] => {
  const object = data.object as Pet;
  const previous: Partial<Pet> = 'previous' in data ? (data.previous as Partial<Pet>) : {};
  const fields = 'previous' in data ? (Object.keys(previous) as (keyof Pet)[]) : (['name'] as const);
  return fields.map((field) => ({ field, from: previous[field], to: object[field] }));
};

/** A pet's history may name a category that a merge has deleted. The deletion event contains the category's name. */
export const deletedCategories = (events: readonly Event[]): Categories =>
  events.filter(({ type }) => type === 'category.deleted').map(({ data }) => data.object as Category);

const findCategory = (categories: Categories, id: unknown) =>
  categories.find((category) => String(category.id) === String(id));

/** True if a pet was in a category that is not in the list. */
export const namesOther = (events: readonly Event[], categories: Categories): boolean =>
  events.some(
    ({ type, data }) =>
      type === 'pet.updated' &&
      changesOf(data).some(({ field, from }) => field === 'categoryId' && !findCategory(categories, from)),
  );

const changeText = ({ field, from, to }: Change, orderId: Int64 | undefined, categories: Categories): string => {
  const category = (id: unknown) =>
    isolated(findCategory(categories, id)?.name ?? texts.timeline.category(id as Int64));
  if (field === 'name') return texts.timeline.renamed(isolated(String(from)), isolated(String(to)));
  if (field === 'categoryId') return texts.timeline.moved(category(from), category(to));
  const status = to as NonNullable<Pet['status']>;
  return orderId === undefined ? texts.timeline.status[status] : texts.timeline.byOrder[status](orderId);
};

const petText = (type: string, changes: readonly Change[], orderId: Int64 | undefined, categories: Categories) => {
  if (type === 'pet.created') {
    return texts.timeline.added(isolated(String(changes.find(({ field }) => field === 'name')?.to ?? '')));
  }
  if (type === 'pet.deleted') return texts.timeline.deleted;
  return changes.map((change) => changeText(change, orderId, categories)).join('. ');
};

/**
 * Used if the key is not allowed to read events. A pet's history contains only changes to the pet, so it does not show
 * when an order was approved.
 */
export const fromHistory = (entry: HistoryEntry, categories: Categories): Entry => {
  const orderId = entry.orderId ?? undefined;
  return {
    key: String(entry.sequence),
    at: entry.timestamp,
    text: petText(entry.type, entry.changes, orderId, categories),
    keyId: entry.actor?.keyId,
    orderId,
  };
};

const isOrder = (event: Event): boolean => event.type.startsWith('order.');

/**
 * An order event and the related pet event have the same request id. If no request caused them, they have the
 * same time.
 */
const causeOf = ({ requestId, timestamp }: Event): string => requestId ?? timestamp;

const fromEvent = (event: Event, categories: Categories): Entry => {
  const { type, data } = event;
  const base = { key: event.id, at: event.timestamp, keyId: event.actor?.keyId };
  if (!isOrder(event)) {
    return { ...base, text: petText(type, changesOf(data), undefined, categories), orderId: undefined };
  }
  const { id } = data.object as Order;
  return { ...base, text: texts.timeline.orders[type as keyof typeof texts.timeline.orders](id), orderId: id };
};

export const fromEvents = (events: readonly Event[], categories: Categories): Entry[] => {
  const orders = new Set(events.filter(isOrder).map(causeOf));
  return events
    .filter((event) => event.type !== 'pet.status_changed' || !orders.has(causeOf(event)))
    .map((event) => fromEvent(event, categories));
};

const petOf = ({ type, data: { object } }: Event): Int64 | undefined =>
  'petId' in object ? object.petId : type.startsWith('pet.') ? (object.id as Int64) : undefined;

/** `events` must be sorted from newest to oldest. */
export const latestByPet = (events: readonly Event[], categories: Categories): ReadonlyMap<string, Entry> =>
  new Map(
    [...Map.groupBy(events, petOf)].flatMap(([id, its]): [string, Entry][] => {
      const [entry] = id === undefined ? [] : fromEvents(its, categories);
      return entry ? [[String(id), entry]] : [];
    }),
  );
