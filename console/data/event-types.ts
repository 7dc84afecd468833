import type { EventType, Scope } from '../../client/src/index.ts';

const WORDS: Readonly<Record<EventType, string>> = {
  'pet.created': 'a pet was added',
  'pet.updated': "a pet's name or category changed",
  'pet.status_changed': "a pet's status changed",
  'pet.deleted': 'a pet was deleted',
  'order.placed': 'an order was placed; its pet is pending',
  'order.approved': 'an order was approved',
  'order.delivered': 'an order was delivered; its pet is sold',
  'order.cancelled': 'an order was cancelled; its pet is available again',
  'order.expired': 'an order was not approved in time; its pet is available again',
  'category.created': 'a category was added',
  'category.updated': 'a category was renamed',
  'category.deleted': 'a category was deleted',
  'key.created': 'a key was created',
  'key.updated': 'a key was changed',
  'key.rotated': "a key's secret was rotated",
  'key.revoked': 'a key was revoked',
  'key.banned': 'a key was banned for ignoring 429 responses',
  'key.unbanned': 'the ban on a key was lifted',
  'webhook.created': 'a webhook was added',
  'webhook.updated': 'a webhook was changed',
  'webhook.disabled': 'the service disabled a webhook',
  'webhook.deleted': 'a webhook was deleted',
  'webhook.test': 'a test event was requested',
};

type Kind = EventType extends `${infer Name}.${string}` ? Name : never;

export const EVENT_KINDS: readonly { kind: Kind; title: string; scope: Scope }[] = [
  { kind: 'pet', title: 'Pets', scope: 'pets:read' },
  { kind: 'order', title: 'Orders', scope: 'orders:read' },
  { kind: 'category', title: 'Categories', scope: 'pets:read' },
  { kind: 'key', title: 'Keys', scope: 'keys:write' },
  { kind: 'webhook', title: 'Webhooks', scope: 'keys:write' },
];

export const EVENT_TYPES = Object.keys(WORDS) as EventType[];

export const kindOf = (type: EventType): Kind => type.slice(0, type.indexOf('.')) as Kind;

export const wordsOf = (type: EventType): string => WORDS[type];

type Can = (scope: Scope) => boolean;

export const tellableTypes = (can: Can): EventType[] =>
  EVENT_TYPES.filter((type) => EVENT_KINDS.some(({ kind, scope }) => kind === kindOf(type) && can(scope)));

export const visibleTypes = (can: Can): EventType[] =>
  EVENT_TYPES.filter((type) => can('keys:write') || !/^(key|webhook)\./.test(type));
