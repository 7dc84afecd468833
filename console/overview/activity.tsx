import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Activity as ActivityIcon,
  Check,
  CircleX,
  Clock,
  KeyRound,
  type LucideIcon,
  Pencil,
  Plus,
  ShoppingBag,
  Tag,
  Trash2,
  Truck,
  Webhook,
} from 'lucide-react';
import { Link } from 'wouter';
import type { EventType } from '../../client/src/index.ts';
import { type LiveEvent, useEvents } from '../data/live.ts';
import { EventSentence } from '../events/sentence.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { groupActivity } from './activity-items.ts';
import { texts } from './texts.ts';

/** Number of events to load. Similar events share a line, so the list has fewer lines: an import takes up only one. */
const LOADED = 100;
const KEY = ['events', 'overview'];

const ICONS: Partial<Record<EventType, LucideIcon>> = {
  'pet.created': Plus,
  'pet.updated': Pencil,
  'pet.status_changed': Tag,
  'pet.deleted': Trash2,
  'order.placed': ShoppingBag,
  'order.approved': Check,
  'order.delivered': Truck,
  'order.cancelled': CircleX,
  'order.expired': Clock,
  'category.created': Tag,
  'category.updated': Tag,
  'category.deleted': Tag,
};

const iconOf = (type: EventType): LucideIcon =>
  ICONS[type] ?? (type.startsWith('key.') ? KeyRound : type.startsWith('webhook.') ? Webhook : ActivityIcon);

const useLatest = () => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  useEvents(undefined, (event) => {
    queries.setQueryData<LiveEvent[]>(KEY, (kept) =>
      !kept || kept.some(({ id }) => id === event.id) ? kept : [event, ...kept].slice(0, LOADED),
    );
  });
  return useQuery({
    queryKey: KEY,
    queryFn: async (): Promise<LiveEvent[]> =>
      (await petstore.events.list({ order: 'desc', limit: LOADED }).page()).items,
  });
};

export const Activity = ({ most }: { most: number }) => {
  const { data, error, refetch } = useLatest();
  return (
    <Panel title={texts.activity.title} end={<Link href="/events">{texts.activity.all}</Link>} isFlush>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && (
        <div className="inside">
          <Skeleton lines={8} />
        </div>
      )}
      <ul className="feed">
        {groupActivity(data ?? [], LOADED)
          .slice(0, most)
          .map((item) => {
            const Icon = iconOf(item.event.type);
            return (
              <li key={item.event.id}>
                <Icon className="icon" />
                <Link href={`/events?event=${item.event.sequence}`}>
                  <span className="clamp">
                    <EventSentence of={item.event} count={item.count} isCut={item.isCut} />
                  </span>
                </Link>
                <Time at={item.event.timestamp} />
              </li>
            );
          })}
      </ul>
      {data?.length === 0 && <p className="nothing">{texts.activity.none}</p>}
    </Panel>
  );
};
