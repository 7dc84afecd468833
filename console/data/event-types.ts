import type { EventType, Scope } from '../../client/src/index.ts';

const WORDS: Readonly<Record<EventType, string>> = {
  'pet.created': 'an animal was added',
  'pet.updated': 'its name or category changed',
  'pet.status_changed': 'its status changed',
  'pet.deleted': 'an animal was removed',
  'order.placed': 'an order was placed and holds its animal',
  'order.approved': 'an order was approved',
  'order.delivered': 'an order was delivered, its animal is sold',
  'order.cancelled': 'an order was cancelled, its animal is free',
  'order.expired': 'nobody approved it in time, its animal is free',
  'category.created': 'a category was added',
  'category.updated': 'a category was renamed',
  'key.created': 'a key was issued',
  'key.updated': 'a key was changed',
  'key.rotated': 'a key has another secret',
  'key.revoked': 'a key was revoked',
  'key.banned': 'a key went on after 429 and is banned',
  'key.unbanned': 'a ban was lifted',
  'webhook.created': 'a webhook was added',
  'webhook.updated': 'a webhook was changed',
  'webhook.disabled': 'the service switched a webhook off',
  'webhook.deleted': 'a webhook was removed',
  'webhook.test': 'somebody tried a webhook',
};

type Kind = EventType extends `${infer Name}.${string}` ? Name : never;

/** Groups of event types, and the scope that each group requires. */
export const EVENT_KINDS: readonly { kind: Kind; title: string; scope: Scope }[] = [
  { kind: 'pet', title: 'Animals', scope: 'pets:read' },
  { kind: 'order', title: 'Orders', scope: 'orders:read' },
  { kind: 'category', title: 'Categories', scope: 'pets:read' },
  { kind: 'key', title: 'Keys', scope: 'keys:write' },
  { kind: 'webhook', title: 'Webhooks', scope: 'keys:write' },
];

export const EVENT_TYPES = Object.keys(WORDS) as EventType[];

export const kindOf = (type: EventType): Kind => type.slice(0, type.indexOf('.')) as Kind;

export const wordsOf = (type: EventType): string => WORDS[type];

type Can = (scope: Scope) => boolean;

/** Event types that a webhook of this key may receive. */
export const tellableTypes = (can: Can): EventType[] =>
  EVENT_TYPES.filter((type) => EVENT_KINDS.some(({ kind, scope }) => kind === kindOf(type) && can(scope)));

/** Event types in a key's feed: key and webhook changes need `keys:write`. */
export const visibleTypes = (can: Can): EventType[] =>
  EVENT_TYPES.filter((type) => can('keys:write') || !/^(key|webhook)\./.test(type));
