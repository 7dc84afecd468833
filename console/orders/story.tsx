import { useQuery } from '@tanstack/react-query';
import type { Petstore, Scope } from '../../client/src/index.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Timeline, type TimelineEntry } from '../kit/timeline.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import type { OrderRow } from './moves.ts';
import { orderKey } from './order-lists.ts';
import { texts } from './texts.ts';

const readEvents = async (petstore: Petstore, order: OrderRow): Promise<TimelineEntry[]> => {
  const events = await petstore.events.list({ orderId: order.id, order: 'desc' }).toArray();
  return events
    .filter(({ type }) => type.startsWith('order.'))
    .map(({ id, type, timestamp, actor }) => ({
      key: id,
      at: timestamp,
      text: texts.drawer.story[type] ?? type,
      keyId: actor?.keyId,
    }));
};

/** A key without `events:read` can still read the pet's history, which shows how the order changed the pet. */
const readHistory = async (petstore: Petstore, order: OrderRow): Promise<TimelineEntry[]> => {
  const history = await petstore.pets.history(order.petId, { order: 'desc' }).toArray();
  return history
    .filter(({ orderId }) => orderId === order.id)
    .map(({ sequence, type, timestamp, actor, changes }) => {
      const status = String(changes.find(({ field }) => field === 'status')?.to);
      const text = texts.drawer.became[status] ?? texts.drawer.story[type] ?? type;
      return { key: String(sequence), at: timestamp, text, keyId: actor?.keyId };
    });
};

const readStory = (petstore: Petstore, order: OrderRow, can: (scope: Scope) => boolean): Promise<TimelineEntry[]> =>
  can('events:read') ? readEvents(petstore, order) : readHistory(petstore, order);

export const useStory = (order: OrderRow) => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: [...orderKey(order.id), 'story', order.status],
    queryFn: () => readStory(petstore, order, can),
    enabled: can('pets:read') || can('events:read'),
    placeholderData: (before) => before,
  });
};

export const Story = ({ order }: { order: OrderRow }) => {
  const { can } = useSession();
  const { data, error, refetch } = useStory(order);
  if (!can('pets:read') && !can('events:read')) return null;
  return (
    <section>
      <h3>{common.history}</h3>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      {data && <Timeline entries={data} />}
      {data?.length === 0 && <p className="soft">{texts.drawer.noHistory}</p>}
    </section>
  );
};
