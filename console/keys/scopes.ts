import type { Scope } from '../../client/src/index.ts';

export const SCOPES: Readonly<Record<Scope, string>> = {
  'pets:read': 'read animals, their history, and categories',
  'pets:write': 'add, change and remove animals',
  'orders:read': 'read orders and the inventory',
  'orders:write': 'place, approve, deliver and cancel orders',
  'categories:write': 'add and name categories',
  'webhooks:write': 'see, add, change and remove webhooks',
  'events:read': 'read and follow events',
  'keys:write': "the operator's: issue and end keys, in all stores",
  'ops:read': "the operator's: usage of any key, the audit trail, metrics",
};

/** Default scopes of a new key. */
export const PLAIN_SCOPES: readonly Scope[] = ['pets:read', 'pets:write', 'orders:read', 'orders:write'];

export const PLANS = {
  free: '60 requests a minute, 1,000 a day, 10,000 pets',
  pro: '300 requests a minute, 10,000 a day, 100,000 pets',
  business: '1,000 requests a minute, 100,000 a day, 1,000,000 pets',
  enterprise: 'set on the key',
} as const;
