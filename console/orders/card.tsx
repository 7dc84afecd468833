import { Check, CircleX, Clock, type LucideIcon, Timer, Truck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { OrderStatus } from '../../client/src/index.ts';
import { createValue, useValue } from '../data/value.ts';
import { SHAPES } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { onOneTap } from '../kit/tap.ts';
import { Countdown, Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { PetCategory } from './category.tsx';
import { changedAt, isSoon, type Move, movesOf, type OrderRow } from './moves.ts';
import { petTitle, usePet } from './pet.ts';
import { texts } from './texts.ts';
import { refusal } from './use-move-order.ts';

export const dragged = createValue<OrderRow | undefined>(undefined);

const ICONS: Record<OrderStatus, LucideIcon> = {
  placed: Timer,
  approved: Check,
  delivered: Truck,
  cancelled: CircleX,
  expired: Clock,
};

export const Hold = ({ order: { placedAt, expiresAt }, order, now }: { order: OrderRow; now: number }) => {
  const [start, end] = [Date.parse(placedAt), Date.parse(expiresAt ?? placedAt)];
  if (end <= now) {
    return (
      <p className="standing">
        <Clock className="icon s" /> {texts.card.holdEnded}
      </p>
    );
  }
  const tone = isSoon(order, now) ? 'bad' : end - now < (end - start) / 2 ? 'warn' : '';
  return (
    <>
      <p className={`standing ${tone}`}>
        <Timer className="icon s" />
        <span>{common.left(<Countdown until={end} />)}</span>
      </p>
      <meter className={tone || 'calm'} min={0} max={end - start} value={end - now} aria-label={texts.card.hold} />
    </>
  );
};

const Standing = ({ order, now }: { order: OrderRow; now: number }) => {
  if (order.expiresAt !== null) return <Hold order={order} now={now} />;
  const Icon = ICONS[order.status];
  return (
    <p className="standing">
      <Icon className="icon s" />
      <span>
        {texts.statuses[order.status]} <Time at={changedAt(order)} />
      </span>
    </p>
  );
};

type Props = { order: OrderRow; now: number; onMove: (order: OrderRow, move: Move) => void };

type ButtonsProps = Omit<Props, 'now'> & { isMain?: boolean };

export const MoveButtons = ({ order, onMove, isMain = false }: ButtonsProps) => {
  const { can } = useSession();
  const moves = can('orders:write') ? movesOf(order) : [];
  if (moves.length === 0) return null;
  return (
    <div className="moves">
      {moves.map((move) => (
        <Button
          key={move.name}
          className={isMain ? '' : 'small'}
          kind={move.name === 'cancel' ? 'quiet' : isMain ? 'tint' : 'plain'}
          {...(move.name === 'cancel' ? {} : { icon: ICONS[move.to] })}
          aria-label={texts.card.move(move.label, order.id)}
          aria-keyshortcuts={move.key}
          onClick={onOneTap(() => onMove(order, move))}
        >
          {isMain && move.name === 'cancel' ? texts.cancel.confirm : move.label}
        </Button>
      ))}
    </div>
  );
};

export const Refused = ({ id }: { id: OrderRow['id'] }) => {
  const refused = useValue(refusal);
  return refused?.id === id ? (
    <p className="refused" role="alert">
      <SHAPES.alert className="icon s" />
      <span>{refused.reason}</span>
    </p>
  ) : null;
};

export const Card = ({ order, now, onMove }: Props) => {
  const { can } = useSession();
  const pet = usePet(order.petId);
  const [search] = useSearchParams();
  const isOpened = search.get('order') === String(order.id);
  const card = useRef<HTMLLIElement>(null);
  // The drawer makes the board narrower, so the opened card may be out of view.
  useEffect(() => {
    if (isOpened) card.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isOpened]);
  return (
    <li
      ref={card}
      className={isOpened ? 'order opened' : 'order'}
      data-order={String(order.id)}
      draggable={can('orders:write') && movesOf(order).length > 0}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData('text/plain', common.order(order.id));
        dataTransfer.effectAllowed = 'move';
        dragged.set(order);
      }}
      onDragEnd={() => dragged.set(undefined)}
    >
      <div>
        <Link className="title" href={`/orders?order=${order.id}`} draggable={false}>
          {petTitle(order.petId, pet)}
        </Link>
        <p className="soft cut">
          {common.orderTitle(order.id)}
          {pet && <PetCategory pet={pet} />}
        </p>
      </div>
      <Standing order={order} now={now} />
      <Refused id={order.id} />
      <MoveButtons order={order} onMove={onMove} />
    </li>
  );
};
