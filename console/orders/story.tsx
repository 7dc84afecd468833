import { useQuery } from '@tanstack/react-query';
import type { Int64, Petstore, Scope } from '../../client/src/index.ts';
import { CopyButton } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import type { OrderRow } from './moves.ts';
import { orderKey } from './order-lists.ts';
import { texts } from './texts.ts';

type Entry = { sequence: Int64; type: string; timestamp: string; keyId: string | undefined; requestId: string | null };

/** The service cannot find events by order, so the console searches the newest 100 events. A page cannot be larger. */
const NEWEST = { order: 'desc', limit: 100 } as const;

const readStory = async (petstore: Petstore, order: OrderRow, can: (scope: Scope) => boolean): Promise<Entry[]> => {
  const [history, events] = await Promise.all([
    can('pets:read') ? petstore.pets.history(order.petId, NEWEST).page() : undefined,
    can('events:read') ? petstore.events.list(NEWEST).page() : undefined,
  ]);
  const seen = [
    ...(history?.items ?? []).filter(({ orderId }) => orderId === order.id),
    ...(events?.items ?? []).filter(({ type, data }) => type.startsWith('order.') && data.object.id === order.id),
  ];
  return seen
    .map(({ sequence, type, timestamp, actor, requestId }) => {
      return { sequence, type, timestamp, keyId: actor?.keyId, requestId };
    })
    .sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
};

export const Story = ({ order }: { order: OrderRow }) => {
  const { petstore, can } = useSession();
  const { data, error } = useQuery({
    queryKey: [...orderKey(order.id), 'story', order.status],
    queryFn: () => readStory(petstore, order, can),
    enabled: can('pets:read') || can('events:read'),
    placeholderData: (before) => before,
  });
  if (!can('pets:read') && !can('events:read')) return null;
  return (
    <section>
      <h3>{common.history}</h3>
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton lines={3} />}
      <ol className="story">
        {data?.map(({ sequence, type, timestamp, keyId, requestId }) => (
          <li key={String(sequence)}>
            <div className="row">
              <code>{type}</code> <Time at={timestamp} />
            </div>
            <div className="soft row">
              {keyId ? common.by(keyId) : common.byService}
              {requestId && <CopyButton text={requestId} what={common.copied.requestId} label={requestId} />}
            </div>
          </li>
        ))}
      </ol>
      {data?.length === 0 && <p className="soft">{texts.drawer.noHistory}</p>}
    </section>
  );
};
