import type { Int64, Key } from '../../client/src/index.ts';

/** What nobody can change of the admin key, but anybody who issues keys can give another one. */
const ADMIN = { name: 'admin', limits: { perMinute: 100_000_000, perDay: 10_000_000_000 } };

/** Whether it may be the one that is set where the service is started, and refuses every change: the API does not say so. */
export const isAdmin = ({ name, limits }: Pick<Key<Int64>, 'name' | 'limits'>): boolean =>
  name === ADMIN.name && limits.perMinute === ADMIN.limits.perMinute && limits.perDay === ADMIN.limits.perDay;
