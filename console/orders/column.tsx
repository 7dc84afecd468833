import { useState } from 'react';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { showCount } from '../kit/text.ts';
import { useNow } from '../kit/time.tsx';
import { common } from '../texts.ts';
import { Card, dragged } from './card.tsx';
import { isSoon, type Move, movesOf, type OrderRow } from './moves.ts';
import type { OrderList } from './order-lists.ts';
import { texts } from './texts.ts';

type Props = {
  title: string;
  about: string;
  hint: string;
  list: OrderList;
  move?: Move | undefined;
  onMove: (order: OrderRow, move: Move) => void;
  onDrop: (order: OrderRow) => void;
};

const useDrop = ({ list, move, onDrop }: Props) => {
  const [isOver, setOver] = useState(false);
  const held = useValue(dragged);
  const isHome = held !== undefined && list.rows.some(({ id }) => id === held.id);
  const isAllowed = held !== undefined && move !== undefined && movesOf(held).includes(move);
  return {
    className: `column${isAllowed ? ' open' : ''}${isOver && held && !isHome ? ' over' : ''}`,
    handlers: {
      onDragOver: (event: React.DragEvent) => {
        if (!held || isHome) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: React.DragEvent) => {
        event.preventDefault();
        setOver(false);
        if (held && !isHome) onDrop(held);
      },
    },
  };
};

export const Column = (props: Props) => {
  const { title, about, hint, list, onMove } = props;
  const { rows, isLoading, error, more } = list;
  const now = useNow(10_000);
  const { className, handlers } = useDrop(props);
  const soon = rows.filter((order) => isSoon(order, now)).length;
  return (
    <section className={className} aria-label={title} {...handlers}>
      <header>
        <h2>
          {title} <span>{rows.length > 0 && `${showCount(rows.length)}${more ? '+' : ''}`}</span>
        </h2>
        <span className={soon > 0 ? 'bad' : 'soft'}>{soon > 0 ? texts.columns.expiringSoon(soon) : about}</span>
      </header>
      <ul>
        {rows.map((order) => (
          <Card key={String(order.id)} order={order} now={now} onMove={onMove} />
        ))}
      </ul>
      {isLoading && <Skeleton lines={4} />}
      {!isLoading && !error && rows.length === 0 && <p className="soft">{hint}</p>}
      {more && <Button onClick={more}>{common.loadMore}</Button>}
    </section>
  );
};
