import { useQuery } from '@tanstack/react-query';
import { Check, CircleX, Clock, type LucideIcon, ShoppingBag, Tag, Truck } from 'lucide-react';
import type { Int64, Petstore, Scope } from '../../client/src/index.ts';
import { useActorName } from '../data/use-key-names.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import type { OrderRow } from './moves.ts';
import { orderKey } from './order-lists.ts';
import { texts } from './texts.ts';

type Entry = { sequence: Int64; type: string; timestamp: string; keyId: string | undefined; words: string };

const ICONS: Record<string, LucideIcon> = {
  'order.placed': ShoppingBag,
  'order.approved': Check,
  'order.delivered': Truck,
  'order.cancelled': CircleX,
  'order.expired': Clock,
};

const readEvents = async (petstore: Petstore, order: OrderRow): Promise<Entry[]> => {
  const events = await petstore.events.list({ orderId: order.id }).toArray();
  return events
    .filter(({ type }) => type.startsWith('order.'))
    .map(({ sequence, type, timestamp, actor }) => ({
      sequence,
      type,
      timestamp,
      keyId: actor?.keyId,
      words: texts.drawer.story[type] ?? type,
    }));
};

/** A key without `events:read` can still read the pet's history, which shows how the order changed the pet. */
const readHistory = async (petstore: Petstore, order: OrderRow): Promise<Entry[]> => {
  const history = await petstore.pets.history(order.petId).toArray();
  return history
    .filter(({ orderId }) => orderId === order.id)
    .map(({ sequence, type, timestamp, actor, changes }) => {
      const status = String(changes.find(({ field }) => field === 'status')?.to);
      const words = texts.drawer.became[status] ?? texts.drawer.story[type] ?? type;
      return { sequence, type, timestamp, keyId: actor?.keyId, words };
    });
};

const readStory = (petstore: Petstore, order: OrderRow, can: (scope: Scope) => boolean): Promise<Entry[]> =>
  can('events:read') ? readEvents(petstore, order) : readHistory(petstore, order);

export const Story = ({ order }: { order: OrderRow }) => {
  const { petstore, can } = useSession();
  const nameOf = useActorName();
  const { data, error, refetch } = useQuery({
    queryKey: [...orderKey(order.id), 'story', order.status],
    queryFn: () => readStory(petstore, order, can),
    enabled: can('pets:read') || can('events:read'),
    placeholderData: (before) => before,
  });
  if (!can('pets:read') && !can('events:read')) return null;
  return (
    <section>
      <h3>{common.history}</h3>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      <ol className="story" aria-label={common.history}>
        {data?.map(({ sequence, type, timestamp, keyId, words }) => {
          const Icon = ICONS[type] ?? Tag;
          return (
            <li key={String(sequence)}>
              <Icon className="icon" />
              <span>{texts.drawer.by(<b>{nameOf(keyId)}</b>, words)}</span>
              <Time at={timestamp} />
            </li>
          );
        })}
      </ol>
      {data?.length === 0 && <p className="soft">{texts.drawer.noHistory}</p>}
    </section>
  );
};
