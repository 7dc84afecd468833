import type { Int64, Key } from '../../client/src/index.ts';

/** What the admin key alone is: nobody can give it another name or other limits. */
const ADMIN = { name: 'admin', limits: { perMinute: 100_000_000, perDay: 10_000_000_000 } };

/** Whether it is set where the service is started, and refuses every change. */
export const isAdmin = ({ name, limits }: Pick<Key<Int64>, 'name' | 'limits'>): boolean =>
  name === ADMIN.name && limits.perMinute === ADMIN.limits.perMinute && limits.perDay === ADMIN.limits.perDay;
