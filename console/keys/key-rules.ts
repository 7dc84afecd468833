import type { Key, Scope } from '../../client/src/index.ts';

/** The API does not return these rules, so `test/console-keys.test.ts` compares them with the service. */

export const SCOPES: Readonly<Record<Scope, string>> = {
  'pets:read': 'read pets, their history, and categories',
  'pets:write': 'add, change and delete pets',
  'orders:read': 'read orders and inventory',
  'orders:write': 'place, approve, deliver and cancel orders',
  'categories:write': 'add and rename categories',
  'webhooks:write': 'read, add, change and delete webhooks',
  'events:read': 'read and stream events',
  'keys:write': 'for operators: create, change and revoke keys for all stores',
  'ops:read': "for operators: read any key's usage, the audit trail, deprecated calls and metrics",
};

export const PLAIN_SCOPES: readonly Scope[] = ['pets:read', 'pets:write', 'orders:read', 'orders:write'];

export const PLANS = {
  free: '60 requests per minute, 1,000 per day, 10,000 pets',
  pro: '300 requests per minute, 10,000 per day, 100,000 pets',
  business: '1,000 requests per minute, 100,000 per day, 1,000,000 pets',
  enterprise: 'set individually for each key',
} as const;

const ADMIN = { name: 'admin', limits: { perMinute: 100_000_000, perDay: 10_000_000_000 } };

/**
 * The API does not say which key is the admin key, so the console compares the name and the limits. An ordinary key
 * with the same name and limits matches too.
 */
export const isAdmin = ({ name, limits }: Pick<Key, 'name' | 'limits'>): boolean =>
  name === ADMIN.name && limits.perMinute === ADMIN.limits.perMinute && limits.perDay === ADMIN.limits.perDay;
