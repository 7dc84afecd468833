import type { Int64, Key } from '../../client/src/index.ts';

/** Fixed values of the admin key. Another key may be issued with the same values. */
const ADMIN = { name: 'admin', limits: { perMinute: 100_000_000, perDay: 10_000_000_000 } };

/** Whether this may be the admin key, which refuses every change. The API does not mark it. */
export const isAdmin = ({ name, limits }: Pick<Key<Int64>, 'name' | 'limits'>): boolean =>
  name === ADMIN.name && limits.perMinute === ADMIN.limits.perMinute && limits.perDay === ADMIN.limits.perDay;
