import type { Order, OrderStatus } from '../../client/src/index.ts';

export type OrderRow = Order;

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
