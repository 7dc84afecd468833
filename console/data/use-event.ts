import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { findEvent } from './find-event.ts';
import type { LiveEvent } from './live.ts';

/** An event never changes, so it is fetched only once. */
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
