import type { Key, Scope } from '../../client/src/index.ts';
import { COLLEAGUE_SCOPES } from '../session/scopes.ts';
import { texts } from './texts.ts';

/** The API does not expose these rules, so this file repeats them. A test checks that they match. */

export const SCOPES: Readonly<Record<Scope, { title: string; words: string }>> = {
  'pets:read': { title: 'See pets', words: 'pets, their history, and categories' },
  'pets:write': { title: 'Change pets', words: 'add, change and delete pets' },
  'orders:read': { title: 'See orders', words: 'orders and inventory' },
  'orders:write': { title: 'Handle orders', words: 'place, approve, deliver and cancel orders' },
  'categories:write': { title: 'Change categories', words: 'add, rename, merge and delete categories' },
  'events:read': { title: 'Follow events', words: 'live updates and the event feed' },
  'webhooks:write': { title: 'Manage webhooks', words: 'read, add, change and delete webhooks' },
  'keys:write': { title: 'Manage keys', words: 'for operators: create, change and revoke keys for all stores' },
  'ops:read': { title: 'Monitor the service', words: "for operators: any key's usage, the audit trail, and health" },
};

const PLAIN_SCOPES: readonly Scope[] = ['pets:read', 'pets:write', 'orders:read', 'orders:write'];

/** By default, a new key gets the scopes of the first preset, so that it can be used to sign in to the console. */
export const PRESETS: readonly { title: string; words: string; scopes: readonly Scope[] }[] = [
  { ...texts.presets.colleague, scopes: COLLEAGUE_SCOPES },
  { ...texts.presets.program, scopes: PLAIN_SCOPES },
  { ...texts.presets.reader, scopes: ['pets:read', 'orders:read'] },
];

export const sameScopes = (some: readonly Scope[], others: readonly Scope[]): boolean =>
  some.length === others.length && some.every((scope) => others.includes(scope));

export const PLANS = {
  free: '60 requests per minute, 1,000 per day, 10,000 pets',
  pro: '300 requests per minute, 10,000 per day, 100,000 pets',
  business: '1,000 requests per minute, 100,000 per day, 1,000,000 pets',
  enterprise: 'set individually for each key',
} as const;

/** The admin key's limits are so high that they have no effect, so the console shows them as "no limit". */
const NO_LIMIT = 100_000_000;

const ADMIN = { name: 'admin', limits: { perMinute: NO_LIMIT, perDay: 100 * NO_LIMIT } };

export const isLimited = (limit: number | null): limit is number => limit !== null && limit < NO_LIMIT;

/** The API does not say which key is the admin key, so an ordinary key with the same name and limits also matches. */
export const isAdmin = ({ name, limits }: Pick<Key, 'name' | 'limits'>): boolean =>
  name === ADMIN.name && limits.perMinute === ADMIN.limits.perMinute && limits.perDay === ADMIN.limits.perDay;
