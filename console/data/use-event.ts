import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { findEvent } from './find-event.ts';
import type { LiveEvent } from './live.ts';

/** Reads one event by its sequence, if the key may read events. It is never fetched again, because events do not change. */
export const useEvent = (sequence: string, known?: LiveEvent) => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['events', 'one', sequence],
    queryFn: ({ signal }) => findEvent(petstore, sequence, signal),
    enabled: can('events:read'),
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
    ...(known ? { initialData: known } : {}),
  });
};
