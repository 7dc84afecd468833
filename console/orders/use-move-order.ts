import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createValue } from '../data/value.ts';
import { say, sayError } from '../kit/toasts.tsx';
import { useSession } from '../session/session.ts';
import type { Move, OrderRow } from './moves.ts';
import { orderKey, putOrder } from './order-lists.ts';
import { petKey } from './pet.ts';
import { texts } from './texts.ts';

export const lastMoved = createValue<OrderRow['id'] | undefined>(undefined);

export const useMoveOrder = () => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  return useMutation({
    // Sends changes one after another, so that an approval arrives before a delivery even if the user clicks quickly.
    scope: { id: 'orders' },
    mutationFn: ({ order, move }: { order: OrderRow; move: Move }) => petstore.orders[move.name](order.id),
    onMutate: ({ order, move }) => {
      lastMoved.set(order.id);
      putOrder(queries, { ...order, status: move.to, expiresAt: null });
    },
    onSuccess: (order) => {
      putOrder(queries, order);
      say(texts.moved(order.id, order.status));
    },
    onError: async (error, { order }) => {
      lastMoved.set(order.id);
      putOrder(queries, order);
      sayError(error);
      // Someone else may have changed the order, so the console loads its current state.
      await petstore.orders.get(order.id).then(
        (present) => putOrder(queries, present),
        () => undefined,
      );
    },
    onSettled: (_, __, { order }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['inventory'] }),
        queries.invalidateQueries({ queryKey: petKey(order.petId) }),
        queries.invalidateQueries({ queryKey: [...orderKey(order.id), 'story'] }),
      ]),
  });
};
