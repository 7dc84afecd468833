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

const useKnownName = () => {
  const { me } = useSession();
  const { data = [] } = useKeys();
  return (keyId: string): string | undefined => [me, ...data].find(({ id }) => id === keyId)?.name;
};

export const useActorName = () => {
  const knownName = useKnownName();
  return (keyId: string): string => isolated(knownName(keyId) ?? common.anotherKey);
};

/** Only keys with `keys:write` can list the keys. With `events:read`, the console asks for each name separately. */
export const useActor = (keyId: string | undefined): string => {
  const { petstore, can } = useSession();
  const known = useKnownName()(keyId ?? '');
  const { isLoading } = useKeys();
  const { data } = useQuery({
    queryKey: ['keys', 'name', keyId],
    queryFn: () => petstore.keys.name(keyId ?? ''),
    enabled: keyId !== undefined && known === undefined && !isLoading && can('events:read'),
    staleTime: 60_000,
  });
  return keyId === undefined ? common.service : isolated(known ?? data?.name ?? common.anotherKey);
};

export const Actor = ({ id }: { id: string | undefined }) => useActor(id);
