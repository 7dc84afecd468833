import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Confirm } from '../kit/confirm.tsx';
import { say } from '../kit/toasts.tsx';
import { useSession } from '../session/session.ts';
import { Column } from './column.tsx';
import { MOVES, type Move, movesOf, type OrderRow } from './moves.ts';
import { type OrderList, useEndedHolds, useGoneOrders, useOrders } from './order-lists.ts';
import { useMoveOrder } from './use-move-order.ts';

/** Sorts by expiry: id order differs once the hold time has been changed. */
const compareExpiry = (a: OrderRow, b: OrderRow): number =>
  Date.parse(a.expiresAt ?? a.updatedAt) - Date.parse(b.expiresAt ?? b.updatedAt);

const moveTo = (status: Move['to']): Move | undefined => MOVES.find(({ to }) => to === status);

/** The card to focus: above, below, or the first of the next column that has cards. */
const neighbourOf = (card: Element, key: string): Element | null | undefined => {
  const column = card.closest('.column');
  const besides = (step: 'nextElementSibling' | 'previousElementSibling') => {
    let beside = column?.[step];
    while (beside && !beside.querySelector('[data-order]')) beside = beside[step];
    return beside?.querySelector('[data-order]');
  };
  const ways: Record<string, () => Element | null | undefined> = {
    j: () => card.nextElementSibling,
    ArrowDown: () => card.nextElementSibling,
    k: () => card.previousElementSibling,
    ArrowUp: () => card.previousElementSibling,
    ArrowRight: () => besides('nextElementSibling'),
    ArrowLeft: () => besides('previousElementSibling'),
  };
  return ways[key]?.();
};

/** Moves orders. Asks first if the move cannot be undone. */
export const useMoves = () => {
  const move = useMoveOrder();
  const [asking, setAsking] = useState<{ order: OrderRow; move: Move }>();
  const begin = (order: OrderRow, wanted: Move) => {
    if (wanted.name === 'cancel') setAsking({ order, move: wanted });
    else move.mutate({ order, move: wanted });
  };
  const question = asking && (
    <Confirm
      title={`Cancel order ${asking.order.id}?`}
      action="Cancel the order"
      isBusy={move.isPending}
      error={null}
      onConfirm={() => {
        setAsking(undefined);
        move.mutate(asking);
      }}
      onClose={() => setAsking(undefined)}
    >
      Its animal is available again, and the order cannot be taken up anew.
    </Confirm>
  );
  return { begin, question };
};

/** Orders in columns by status; shows `empty` if there are none. */
export const Board = ({ empty }: { empty: ReactNode }) => {
  const { can } = useSession();
  const { begin, question } = useMoves();
  const [placed, approved, delivered] = [useOrders('placed'), useOrders('approved'), useOrders('delivered')];
  useEndedHolds(placed.rows);
  const soonestFirst = { ...placed, rows: placed.rows.toSorted(compareExpiry) };
  const gone = useGoneOrders();
  const columns: { title: string; hint: string; list: OrderList; move?: Move | undefined }[] = [
    { title: 'Placed', hint: 'An order waits here for approval, and holds its animal meanwhile.', list: soonestFirst },
    { title: 'Approved', hint: 'What is approved no longer expires.', list: approved, move: moveTo('approved') },
    { title: 'Delivered', hint: 'The animals of these are sold.', list: delivered, move: moveTo('delivered') },
    { title: 'Gone', hint: 'What was cancelled or has expired.', list: gone, move: moveTo('cancelled') },
  ];
  const onDrop = (order: OrderRow, move: Move | undefined) => {
    if (move) begin(order, move);
    else say('No order goes back to placed: cancel it, and place another.', { isError: true });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const card = (event.target as HTMLElement).closest<HTMLElement>('[data-order]');
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const order = columns.flatMap(({ list }) => list.rows).find(({ id }) => String(id) === card.dataset.order);
    const move = order && can('orders:write') && movesOf(order).find(({ key }) => key === event.key);
    const neighbour = neighbourOf(card, event.key);
    if (!move && !neighbour) return;
    event.preventDefault();
    if (move) begin(order, move);
    else neighbour?.querySelector('a')?.focus();
  };
  if (columns.every(({ list: { rows, isLoading, error } }) => rows.length === 0 && !isLoading && !error)) return empty;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the cards inside. */}
      <div className="board" onKeyDown={onKeyDown}>
        {columns.map((column) => (
          <Column key={column.title} {...column} onMove={begin} onDrop={(order) => onDrop(order, column.move)} />
        ))}
      </div>
      {question}
    </>
  );
};
