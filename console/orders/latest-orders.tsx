import { Link } from 'wouter';
import { useList } from '../data/list.ts';
import { StatusBadge } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { isolated } from '../kit/text.ts';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { changedAt, type OrderRow } from './moves.ts';
import { ALL, useLiveOrders } from './order-lists.ts';
import { petTitle, usePet } from './pet.ts';
import { texts } from './texts.ts';

const Line = ({ order: { id, petId, status }, order }: { order: OrderRow }) => (
  <li>
    <Link href={`/orders?order=${id}`}>
      <b className="cut">{isolated(petTitle(petId, usePet(petId)))}</b>{' '}
      <span className="soft">{common.orderTitle(id)}</span>
    </Link>
    <StatusBadge status={status} />
    <Time at={changedAt(order)} />
  </li>
);

/** Uses the same cached list as the Orders page, so that the panel also shows changes that the user can still undo. */
export const LatestOrders = ({ most }: { most: number }) => {
  const { petstore } = useSession();
  const { rows, isLoading, error, retry } = useList<OrderRow>([...ALL, '', '', ''], (query) =>
    petstore.orders.list({ order: 'desc', ...query }),
  );
  useLiveOrders();
  return (
    <Panel title={texts.latest.title} end={<Link href="/orders?view=list">{texts.latest.all}</Link>} isFlush>
      {error && <ErrorNote error={error} onRetry={retry} />}
      {isLoading && (
        <div className="inside">
          <Skeleton lines={6} />
        </div>
      )}
      <ul className="feed latest">
        {rows.slice(0, most).map((order) => (
          <Line key={String(order.id)} order={order} />
        ))}
      </ul>
      {!isLoading && !error && rows.length === 0 && <p className="nothing">{texts.latest.none}</p>}
    </Panel>
  );
};
