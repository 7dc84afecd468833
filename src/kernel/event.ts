import type { MaybePromise } from './maybe-promise.ts';

export const EVENT_TYPES = [
  'pet.created',
  'pet.updated',
  'pet.status_changed',
  'pet.deleted',
  'order.placed',
  'order.approved',
  'order.delivered',
  'order.cancelled',
  'order.expired',
  'category.created',
  'category.updated',
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'key.banned',
  'key.unbanned',
  'webhook.created',
  'webhook.updated',
  'webhook.disabled',
  'webhook.deleted',
  'webhook.test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export type Change = {
  type: EventType;
  /** The thing as it is now, in its wire form, and the changed fields as they were. */
  object: object;
  previous?: object;
  /** The animal concerned, so that its history can be found. */
  petId?: bigint;
  /** The order that brought the change about. */
  orderId?: bigint;
  /** The store it happened in, where that is not the call's own. */
  storeId?: bigint;
};

/** The outbox: an event is written in the transaction of the change it tells of, or not at all. */
export type EventLog = {
  /** Returns the id of the event. */
  append(change: Change): MaybePromise<string>;
  /** Many changes in the call's own store, which costs less than one after another. */
  appendMany(changes: readonly Change[]): Promise<void>;
};

/** The fields of `before` that are different in `after`, as they were; undefined if nothing changed. */
export const changedFields = <Body extends object>(before: Body, after: Body): Partial<Body> | undefined => {
  const names = (Object.keys(before) as (keyof Body)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return names.length === 0
    ? undefined
    : (Object.fromEntries(names.map((name) => [name, before[name]])) as Partial<Body>);
};
