import type { Scope } from './contract.ts';
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
  'category.deleted',
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

export type EventKind = EventType extends `${infer Kind}.${string}` ? Kind : never;

export const READING_SCOPES: Readonly<Record<EventKind, Scope>> = {
  pet: 'pets:read',
  category: 'pets:read',
  order: 'orders:read',
  key: 'keys:write',
  webhook: 'keys:write',
};

export type Change = {
  type: EventType;
  object: object;
  previous?: object;
  petId?: bigint;
  orderId?: bigint;
  /** Default: the caller's store. */
  storeId?: bigint;
};

/** Writes events in the same transaction as the change, so that neither exists without the other. */
export type EventLog = {
  append(change: Change): MaybePromise<string>;
  appendMany(changes: readonly Change[]): Promise<void>;
};

export const changedFields = <Body extends object>(before: Body, after: Body): Partial<Body> | undefined => {
  const names = (Object.keys(before) as (keyof Body)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return names.length === 0
    ? undefined
    : (Object.fromEntries(names.map((name) => [name, before[name]])) as Partial<Body>);
};
