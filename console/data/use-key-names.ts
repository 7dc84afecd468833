import { useQuery } from '@tanstack/react-query';
import type { Key, Petstore } from '../../client/src/index.ts';
import { isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';

/** The service's maximum page size. */
const MOST = 100;

export const useKeys = () => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['keys', 'overview'],
    queryFn: async () => (await petstore.keys.list({ order: 'desc', limit: MOST }).page()).items,
    enabled: can('keys:write'),
    staleTime: 60_000,
  });
};

/** Maximum number of keys to load. Each request loads up to 100 keys. */
const MAX_NEWEST = 1000;

export const readNewestKeys = (petstore: Petstore): Promise<Key[]> =>
  petstore.keys.list({ order: 'desc' }).toArray({ max: MAX_NEWEST });

/**
 * Only keys with `keys:write` can read other keys' names. Without that scope, other actors are shown as
 * `common.anotherKey`.
 */
export const useActorName = () => {
  const { me } = useSession();
  const { data = [] } = useKeys();
  return (keyId: string | undefined): string =>
    keyId === undefined
      ? common.service
      : isolated([me, ...data].find(({ id }) => id === keyId)?.name ?? common.anotherKey);
};
