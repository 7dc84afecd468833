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
import { ErrorNote } from '../kit/error-note.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { isolated } from '../kit/text.ts';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';
import { useKeys } from './watched.ts';

const SHOWN = 10;
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
};

const iconOf = (type: EventType): LucideIcon =>
  ICONS[type] ?? (type.startsWith('key.') ? KeyRound : type.startsWith('webhook.') ? Webhook : ActivityIcon);

const useLatest = () => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  useEvents(undefined, (event) => {
    queries.setQueryData<LiveEvent[]>(KEY, (kept) =>
      !kept || kept.some(({ id }) => id === event.id) ? kept : [event, ...kept].slice(0, SHOWN),
    );
  });
  return useQuery({
    queryKey: KEY,
    queryFn: async (): Promise<LiveEvent[]> =>
      (await petstore.events.list({ order: 'desc', limit: SHOWN }).page()).items,
  });
};

/** An order names its pet only by id, so the names of all pets on screen are fetched with one request. */
const usePetNames = (events: readonly LiveEvent[]): ReadonlyMap<string, string> => {
  const { petstore, can } = useSession();
  const ids = [...new Set(events.flatMap(({ data: { object } }) => ('petId' in object ? [object.petId] : [])))].sort();
  const { data } = useQuery({
    queryKey: ['pets', 'names', ids.join()],
    queryFn: async () => (await petstore.pets.list({ ids }).page()).items,
    enabled: can('pets:read') && ids.length > 0,
    placeholderData: (before) => before,
  });
  return new Map(data?.map(({ id, name }) => [String(id), name]));
};

const subjectOf = ({ data: { object } }: LiveEvent, pets: ReadonlyMap<string, string>): string => {
  if ('url' in object) return new URL(object.url).host;
  if ('petId' in object) return isolated(pets.get(String(object.petId)) ?? common.pet(object.petId));
  return isolated(object.name ?? texts.activity.unnamed);
};

const useKeyName = () => {
  const { me } = useSession();
  const { data = [] } = useKeys();
  return (id: string | undefined): string =>
    id === undefined
      ? texts.activity.service
      : isolated([me, ...data].find((key) => key.id === id)?.name ?? texts.activity.otherKey);
};

export const Activity = () => {
  const { data, error, refetch } = useLatest();
  const pets = usePetNames(data ?? []);
  const nameOf = useKeyName();
  return (
    <Panel title={texts.activity.title} end={<Link href="/events">{texts.activity.all}</Link>} isFlush>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && (
        <div className="inside">
          <Skeleton lines={8} />
        </div>
      )}
      <ul className="feed">
        {data?.map((event) => {
          const Icon = iconOf(event.type);
          const sentence = texts.activity.sentences[event.type];
          return (
            <li key={event.id}>
              <Icon className="icon" />
              <Link href={`/events?event=${event.sequence}`}>
                <b>{nameOf(event.actor?.keyId)}</b> {sentence(<b>{subjectOf(event, pets)}</b>)}
              </Link>
              <Time at={event.timestamp} />
            </li>
          );
        })}
      </ul>
      {data?.length === 0 && <p className="nothing">{texts.activity.none}</p>}
    </Panel>
  );
};
