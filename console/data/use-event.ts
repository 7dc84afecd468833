import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { findEvent } from './find-event.ts';
import type { LiveEvent } from './live.ts';

/** Reads an event by its id if the key may read events. An event never changes, so it is fetched only once. */
export const useEvent = (id: string, known?: LiveEvent) => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => findEvent(petstore, id, signal),
    enabled: can('events:read'),
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
    ...(known ? { initialData: known } : {}),
  });
};
