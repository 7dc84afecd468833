import type { Scope } from './contract.ts';

export const EVENT_TYPES = [
  ...['pet.created', 'pet.updated', 'pet.status_changed', 'pet.deleted'],
  ...['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.expired'],
  ...['category.created', 'category.updated', 'category.deleted'],
  ...['key.created', 'key.updated', 'key.rotated', 'key.revoked', 'key.banned', 'key.unbanned'],
  ...['webhook.created', 'webhook.updated', 'webhook.disabled', 'webhook.deleted', 'webhook.test'],
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
