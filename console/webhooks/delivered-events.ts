import { useQuery } from '@tanstack/react-query';
import type { Delivery, Int64 } from '../../client/src/index.ts';
import type { LiveEvent } from '../data/live.ts';
import { subjectsOf } from '../events/subject.ts';
import { useSession } from '../session/session.ts';

/** The service's maximum page size. */
const LATEST = 100;

/**
 * Finds the event of a delivery, because the delivery itself contains only the event's id. One request reads the latest
 * events, so events of older deliveries are not found.
 */
export const useDeliveredEvents = (deliveries: readonly Delivery[]) => {
  const { petstore, can } = useSession();
  const newest = deliveries.reduce<Int64>((most, { sequence }) => (sequence > most ? sequence : most), 0);
  const { data = [] } = useQuery({
    queryKey: ['delivered events', String(newest)],
    queryFn: async () => (await petstore.events.list({ order: 'desc', limit: LATEST }).page()).items,
    enabled: can('events:read') && deliveries.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  const events = new Map<string, LiveEvent>(data.map((event) => [event.id, event]));
  return ({ eventId }: Delivery): LiveEvent | undefined => events.get(eventId);
};

/** Returns, for example, "Rex · pet 5 · sold". A test event concerns only the webhook whose deliveries are shown. */
export const eventSubject = (event: LiveEvent): string => {
  const { object } = event.data;
  if ('url' in object) return '';
  const subjects = subjectsOf(event).map(({ text }) => text);
  const status = event.type === 'pet.status_changed' && 'status' in object ? [object.status] : [];
  return [...subjects, ...status].join(' · ');
};
