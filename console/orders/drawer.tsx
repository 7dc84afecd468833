import { useQuery } from '@tanstack/react-query';
import type { Petstore } from '../../client/src/index.ts';
import { useActor } from '../data/use-key-names.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { StatusBadge } from '../kit/badge.tsx';
import { CopyLink } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Drawer } from '../kit/overlay/drawer.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { capitalized } from '../kit/text.ts';
import { Time, useNow } from '../kit/time.tsx';
import { Identity } from '../pets/drawer/identity.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { useMoves } from './board.tsx';
import { Hold, MoveButtons, Refused } from './card.tsx';
import { changedAt, movesOf, type OrderRow } from './moves.ts';
import { orderKey } from './order-lists.ts';
import { usePet } from './pet.ts';
import { Story, useStory } from './story.tsx';
import { texts } from './texts.ts';

const OrderedPet = ({ order: { petId } }: { order: OrderRow }) => {
  const pet = usePet(petId);
  if (pet) return <Identity pet={pet} to={`/pets?pet=${petId}`} />;
  return (
    <div className="identity">
      <h3 className="name">{capitalized(common.pet(petId))}</h3>
      {pet === null && <span className="soft">{common.deleted}</span>}
    </div>
  );
};

const When = ({ order, at }: { order: OrderRow; at: string }) => {
  const change = useStory(order).data?.find((entry) => entry.at === at);
  const actor = useActor(change?.keyId);
  return (
    <>
      <Time at={at} isFull />
      {change && <p className="soft">{texts.drawer.by(actor)}</p>}
    </>
  );
};

const Facts = ({ order }: { order: OrderRow }) => {
  const now = useNow();
  return (
    <dl className="facts">
      <dt>{common.status}</dt>
      <dd>
        <StatusBadge status={order.status} />
      </dd>
      {order.expiresAt && (
        <>
          <dt>{texts.drawer.hold}</dt>
          <dd>
            <Hold order={order} now={now} />
          </dd>
        </>
      )}
      <dt>{texts.statuses.placed}</dt>
      <dd>
        <When order={order} at={order.placedAt} />
      </dd>
      {order.status !== 'placed' && (
        <>
          <dt>{texts.statuses[order.status]}</dt>
          <dd>
            <When order={order} at={changedAt(order)} />
          </dd>
        </>
      )}
    </dl>
  );
};

const Call = ({ order }: { order: OrderRow }) => {
  const { can } = useSession();
  const next = can('orders:write') ? movesOf(order)[0]?.name : undefined;
  const path = `/store/orders/${order.id}`;
  return next ? (
    <ApiCall method="POST" path={`${path}/${next}`} code={`await petstore.orders.${next}(${order.id});`} />
  ) : (
    <ApiCall method="GET" path={path} code={`await petstore.orders.get(${order.id});`} />
  );
};

const readOrder = async (petstore: Petstore, id: string): Promise<OrderRow> => {
  if (!/^\d{1,19}$/.test(id)) throw new Error(texts.drawer.notAnId(id));
  return petstore.orders.get(BigInt(id));
};

export const OrderDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { petstore } = useSession();
  const { begin, question } = useMoves();
  const { data: order, error, refetch } = useQuery({ queryKey: orderKey(id), queryFn: () => readOrder(petstore, id) });
  return (
    <Drawer title={texts.drawer.title(id)} actions={<CopyLink to={`?order=${id}`} />} onClose={onClose}>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!order && !error && <Skeleton lines={6} />}
      {order && (
        <div className="stack sections">
          <OrderedPet order={order} />
          <Facts order={order} />
          <MoveButtons order={order} onMove={begin} isMain />
          <Refused id={order.id} />
          <Story order={order} />
          <Call order={order} />
        </div>
      )}
      {question}
    </Drawer>
  );
};
