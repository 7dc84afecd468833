import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { createValue } from '../data/value.ts';
import { Badge, StatusBadge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { Countdown, Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { isSoon, type Move, movesOf, type OrderRow } from './moves.ts';
import { petTitle, usePet } from './pet.ts';
import { texts } from './texts.ts';
import { lastMoved } from './use-move-order.ts';

export const dragged = createValue<OrderRow | undefined>(undefined);

const Standing = ({ order, now }: { order: OrderRow; now: number }) => {
  if (order.expiresAt === null) {
    return (
      <span className="soft">
        <StatusBadge status={order.status} /> <Time at={order.updatedAt} />
      </span>
    );
  }
  if (Date.parse(order.expiresAt) <= now) return <Badge shape="expired">{texts.card.holdEnded}</Badge>;
  const left = <Countdown until={order.expiresAt} />;
  return (
    <span>
      <Badge tone={isSoon(order, now) ? 'bad' : 'warn'} shape={isSoon(order, now) ? 'warning' : 'clock'}>
        {isSoon(order, now) ? texts.card.expiresIn(left) : common.left(left)}
      </Badge>
    </span>
  );
};

type Props = { order: OrderRow; now: number; onMove: (order: OrderRow, move: Move) => void };

export const MoveButtons = ({ order, onMove }: Omit<Props, 'now'>) => {
  const { can } = useSession();
  const moves = can('orders:write') ? movesOf(order) : [];
  if (moves.length === 0) return null;
  return (
    <div className="row">
      {moves.map((move) => (
        <Button
          key={move.name}
          className="small"
          kind={move.name === 'cancel' ? 'quiet' : 'plain'}
          aria-label={texts.card.move(move.label, order.id)}
          aria-keyshortcuts={move.key}
          onClick={() => onMove(order, move)}
        >
          {move.label}
        </Button>
      ))}
    </div>
  );
};

export const Card = ({ order, now, onMove }: Props) => {
  const { can } = useSession();
  const pet = usePet(order.petId);
  const title = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (lastMoved.get() !== order.id) return;
    lastMoved.set(undefined);
    title.current?.focus();
  }, [order.id]);
  return (
    <li
      className="order card"
      data-order={String(order.id)}
      draggable={can('orders:write') && movesOf(order).length > 0}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData('text/plain', common.order(order.id));
        dataTransfer.effectAllowed = 'move';
        dragged.set(order);
      }}
      onDragEnd={() => dragged.set(undefined)}
    >
      <div className="title">
        <Link ref={title} href={`/orders?order=${order.id}`} draggable={false}>
          {petTitle(order.petId, pet)}
        </Link>
        <span className="soft">{common.order(order.id)}</span>
      </div>
      <Standing order={order} now={now} />
      <MoveButtons order={order} onMove={onMove} />
    </li>
  );
};
