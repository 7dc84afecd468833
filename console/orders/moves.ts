import type { Order, OrderStatus } from '../../client/src/index.ts';

/** The page moves an order before the service confirms the change. Until then, `shownAt` is the time of the move. */
export type OrderRow = Order & { shownAt?: string };

export const changedAt = ({ shownAt, updatedAt }: OrderRow): string => shownAt ?? updatedAt;

/**
 * Does not change `updatedAt`. If `updatedAt` were later, an undo would have no effect, because `showOrder` would treat
 * the original order as outdated and ignore it.
 */
export const moved = (order: OrderRow, status: OrderStatus): OrderRow => ({
  ...order,
  status,
  expiresAt: null,
  shownAt: new Date().toISOString(),
});

export type Move = {
  name: 'approve' | 'deliver' | 'cancel';
  label: string;
  key: string;
  from: readonly OrderStatus[];
  to: OrderStatus;
};

export const MOVES: readonly Move[] = [
  { name: 'approve', label: 'Approve', key: 'a', from: ['placed'], to: 'approved' },
  { name: 'deliver', label: 'Deliver', key: 'd', from: ['approved'], to: 'delivered' },
  { name: 'cancel', label: 'Cancel', key: 'c', from: ['placed', 'approved'], to: 'cancelled' },
];

export const movesOf = ({ status }: OrderRow): Move[] => MOVES.filter(({ from }) => from.includes(status));

const SOON_MS = 15 * 60_000;

export const isSoon = ({ expiresAt }: OrderRow, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) - now < SOON_MS;
