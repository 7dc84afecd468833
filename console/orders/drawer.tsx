import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Petstore } from '../../client/src/index.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { StatusBadge } from '../kit/badge.tsx';
import { CopyLink } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Drawer } from '../kit/overlay/drawer.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Countdown, Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { useMoves } from './board.tsx';
import { MoveButtons, Refused } from './card.tsx';
import { PetCategory } from './category.tsx';
import { changedAt, movesOf, type OrderRow } from './moves.ts';
import { orderKey } from './order-lists.ts';
import { petTitle, usePet } from './pet.ts';
import { Story } from './story.tsx';
import { texts } from './texts.ts';

const OrderedPet = ({ order }: { order: OrderRow }) => {
  const { can } = useSession();
  const pet = usePet(order.petId);
  const title = petTitle(order.petId, pet);
  return (
    <>
      {can('pets:read') ? <Link href={`/pets?pet=${order.petId}`}>{title}</Link> : title}
      {pet && (
        <span className="soft">
          <PetCategory pet={pet} />
        </span>
      )}{' '}
      {pet ? (
        <StatusBadge status={pet.status ?? 'available'} />
      ) : (
        pet === null && <span className="soft">{common.deleted}</span>
      )}
    </>
  );
};

const Facts = ({ order }: { order: OrderRow }) => (
  <dl className="facts">
    <dt>{common.status}</dt>
    <dd>
      <StatusBadge status={order.status} />
    </dd>
    <dt>{texts.drawer.pet}</dt>
    <dd>
      <OrderedPet order={order} />
    </dd>
    <dt>{texts.drawer.placed}</dt>
    <dd>
      <Time at={order.placedAt} isFull />
    </dd>
    <dt>{texts.drawer.updated}</dt>
    <dd>
      <Time at={changedAt(order)} isFull />
    </dd>
    {order.expiresAt && (
      <>
        <dt>{texts.drawer.holdEndsIn}</dt>
        <dd>
          <Countdown until={order.expiresAt} />
        </dd>
      </>
    )}
  </dl>
);

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
