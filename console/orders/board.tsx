import { useQueryClient } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useValue } from '../data/value.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { ifConnected, say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { useCloseSoon } from './close-order.ts';
import { Column } from './column.tsx';
import { MOVES, type Move, movesOf, type OrderRow } from './moves.ts';
import { type OrderList, useClosedOrders, useEndedHolds, useOrders } from './order-lists.ts';
import { knownPetName } from './pet.ts';
import { texts } from './texts.ts';
import { lastMoved, refusal, refuse, useMoveOrder } from './use-move-order.ts';

/** Orders are not sorted by age, because a newer order may expire first if an operator has changed the hold time. */
const compareExpiry = (a: OrderRow, b: OrderRow): number =>
  Date.parse(a.expiresAt ?? a.updatedAt) - Date.parse(b.expiresAt ?? b.updatedAt);

const moveTo = (status: Move['to']): Move | undefined => MOVES.find(({ to }) => to === status);

const neighbourOf = (card: Element, key: string): Element | null | undefined => {
  const column = card.closest('.column');
  const besides = (step: 'nextElementSibling' | 'previousElementSibling') => {
    let neighbour = column?.[step];
    while (neighbour && !neighbour.querySelector('[data-order]')) neighbour = neighbour[step];
    return neighbour?.querySelector('[data-order]');
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

export const useMoves = () => {
  const queries = useQueryClient();
  const move = useMoveOrder();
  const closeSoon = useCloseSoon();
  const [asking, setAsking] = useState<{ order: OrderRow; move: Move }>();
  const deliverSoon = (order: OrderRow) => {
    refusal.set(undefined);
    closeSoon(order, 'deliver', () => lastMoved.set(order.id));
  };
  const begin = (order: OrderRow, wanted: Move) => {
    if (!movesOf(order).includes(wanted)) refuse(order, wanted.to);
    else if (wanted.name === 'cancel') setAsking({ order, move: wanted });
    else if (wanted.name === 'deliver') ifConnected(() => deliverSoon(order));
    else ifConnected(() => move.mutate({ order, move: wanted }));
  };
  const question = asking && (
    <Confirm
      title={texts.cancel.question(asking.order.id, knownPetName(queries, asking.order.petId))}
      action={texts.cancel.confirm}
      keep={texts.cancel.keep}
      isBusy={move.isPending}
      error={null}
      onConfirm={() => {
        setAsking(undefined);
        ifConnected(() => move.mutate(asking));
      }}
      onClose={() => setAsking(undefined)}
    >
      {texts.cancel.consequence}
    </Confirm>
  );
  return { begin, question };
};

/** On a phone, the board shows one column at a time. It opens on the first column that has orders. */
const useFirstColumn = (lists: readonly OrderList[]) => {
  const board = useRef<HTMLDivElement>(null);
  const isRead = lists.every(({ isLoading }) => !isLoading);
  const first = lists.findIndex(({ rows }) => rows.length > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board moves only once, after the lists are read.
  useLayoutEffect(() => {
    const [start, column] = [0, first].map((index) => board.current?.children[index] as HTMLElement | undefined);
    if (!isRead || !start || !column || board.current?.scrollLeft !== 0) return;
    board.current.scrollLeft = column.offsetLeft - start.offsetLeft;
  }, [isRead]);
  return board;
};

/** Focuses the card of the order that was just placed or moved, as soon as the board shows the card. */
const useFocusOnMoved = (board: RefObject<HTMLElement | null>): void => {
  const id = useValue(lastMoved);
  useEffect(() => {
    const title = board.current?.querySelector<HTMLElement>(`[data-order="${id}"] a`);
    if (!title) return;
    lastMoved.set(undefined);
    title.focus({ preventScroll: true });
    // On a phone, the board shows one column at a time, so this scrolls to the order's column.
    title.scrollIntoView({ block: 'nearest', inline: 'center' });
  });
};

let removeAdvice = (): void => undefined;

const advise = (): void => {
  removeAdvice();
  removeAdvice = say(texts.commands.selectFirst);
};

/** Letter keys act on the focused card. If no card has focus, `j` and `k` go to the first card. */
const useCardKeys = (
  board: RefObject<HTMLElement | null>,
  orders: readonly OrderRow[],
  begin: (order: OrderRow, move: Move) => void,
) => {
  const canMove = useSession().can('orders:write');
  const press = (target: Element | null, key: string): boolean => {
    const card = target?.closest<HTMLElement>('[data-order]');
    const order = card && orders.find(({ id }) => String(id) === card.dataset.order);
    const move = order && canMove && movesOf(order).find((one) => one.key === key);
    const neighbour = card && neighbourOf(card, key);
    if (move) begin(order, move);
    else neighbour?.querySelector('a')?.focus();
    return Boolean(move || neighbour);
  };
  const command = (label: string, keys: string, withoutCard: () => void) => ({
    label,
    keys,
    run: () => {
      const card = document.activeElement?.closest('[data-order]');
      if (card) press(card, keys);
      else withoutCard();
    },
  });
  const focusFirst = () => board.current?.querySelector<HTMLElement>('[data-order] a')?.focus();
  const moves = canMove ? MOVES.map(({ label, key }) => command(texts.commands.move(label), key, advise)) : [];
  const steps = [command(texts.commands.next, 'j', focusFirst), command(texts.commands.previous, 'k', focusFirst)];
  useCommands(orders.length > 0 ? [...steps, ...moves] : []);
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (press(event.target as HTMLElement, event.key)) event.preventDefault();
  };
};

export const Board = ({ empty }: { empty: ReactNode }) => {
  const { begin, question } = useMoves();
  const [placed, approved, delivered] = [useOrders('placed'), useOrders('approved'), useOrders('delivered')];
  useEndedHolds(placed.rows);
  const soonestFirst = { ...placed, rows: placed.rows.toSorted(compareExpiry) };
  const closed = useClosedOrders();
  const columns: { title: string; about: string; hint: string; list: OrderList; move?: Move | undefined }[] = [
    { ...texts.columns.placed, list: soonestFirst },
    { ...texts.columns.approved, list: approved, move: moveTo('approved') },
    { ...texts.columns.delivered, list: delivered, move: moveTo('delivered') },
    { ...texts.columns.closed, list: closed, move: moveTo('cancelled') },
  ];
  const board = useFirstColumn(columns.map(({ list }) => list));
  useFocusOnMoved(board);
  const orders = columns.flatMap(({ list }) => list.rows);
  const onKeyDown = useCardKeys(board, orders, begin);
  const onDrop = (order: OrderRow, move: Move | undefined) => {
    if (move) begin(order, move);
    else refuse(order, 'placed');
  };
  const failed = columns.find(({ list }) => list.error)?.list.error;
  const retry = () => {
    for (const { list } of columns) if (list.error) void list.retry();
  };
  if (orders.length === 0 && columns.every(({ list: { isLoading, error } }) => !isLoading && !error)) return empty;
  return (
    <>
      {failed && <ErrorNote error={failed} onRetry={retry} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key presses come from the focused card inside. */}
      <div className="board" ref={board} onKeyDown={onKeyDown}>
        {columns.map((column) => (
          <Column key={column.title} {...column} onMove={begin} onDrop={(order) => onDrop(order, column.move)} />
        ))}
      </div>
      {question}
    </>
  );
};
