import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useCategories } from '../categories/categories.tsx';
import { useRefresh } from '../data/refresh.ts';
import { useSession } from '../session/session.ts';
import { deletedCategories, type Entry, latestByPet } from './drawer/timeline-entries.ts';

/** Maximum number of events to load. Every 100 events cost one request. */
const MOST = 200;

const TYPES = [
  ...(['pet.created', 'pet.updated', 'pet.status_changed'] as const),
  ...(['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.expired'] as const),
];

/** Pets up to the id `newest` that have no entry did not change after `since`. If `since` is undefined, all events have been loaded. */
export type LastChanges = { byPet: ReadonlyMap<string, Entry>; newest: bigint; since: string | undefined };

/** A pet has no field for its last change, so the changes come from the latest events. */
export const useLastChanges = (isShown: boolean): LastChanges | undefined => {
  const { petstore, can } = useSession();
  const categories = useCategories();
  const key = ['events', 'last changes'];
  useRefresh(TYPES, key);
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => petstore.events.list({ order: 'desc', limit: 100 }).toArray({ max: MOST }),
    enabled: isShown && can('events:read'),
  });
  return useMemo(() => {
    if (!data) return undefined;
    const byPet = latestByPet(data, [...categories, ...deletedCategories(data)]);
    const newest = [...byPet.keys()].map(BigInt).reduce((one, other) => (one > other ? one : other), 0n);
    return { byPet, newest, since: data.length < MOST ? undefined : data.at(-1)?.timestamp };
  }, [data, categories]);
};
