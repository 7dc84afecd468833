import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { whileSending } from '../data/notices.ts';
import { createValue } from '../data/value.ts';
import { say, sayUndone } from '../kit/overlay/toasts.tsx';
import { refreshPet } from '../pets/pet-cache.ts';
import { useSession } from '../session/session.ts';
import { type Move, moved, type OrderRow } from './moves.ts';
import { orderKey, putOrder } from './order-lists.ts';
import { knownPetName } from './pet.ts';
import { texts } from './texts.ts';

/** The order that was just placed or moved. The board then focuses the order's card. */
export const lastMoved = createValue<OrderRow['id'] | undefined>(undefined);

/** The reason why a move was refused. The order's card shows it until the next move. */
export const refusal = createValue<{ id: OrderRow['id']; reason: string } | undefined>(undefined);

export const refuse = ({ id, status }: OrderRow, to: OrderRow['status']): void =>
  refusal.set({ id, reason: texts.refused(status, to) });

const refreshAfter = (queries: QueryClient, order: OrderRow) =>
  Promise.all([
    refreshPet(queries, String(order.petId)),
    queries.invalidateQueries({ queryKey: [...orderKey(order.id), 'story'] }),
  ]);

export const useMoveOrder = () => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  return useMutation({
    // Sends changes one at a time, because an approval must arrive before a delivery, even if the user clicks quickly.
    scope: { id: 'orders' },
    mutationFn: ({ order, move }: { order: OrderRow; move: Move }) =>
      whileSending(
        texts.moved(order.id, move.to, knownPetName(queries, order.petId)),
        petstore.orders[move.name](order.id),
      ),
    onMutate: ({ order, move }) => {
      refusal.set(undefined);
      lastMoved.set(order.id);
      putOrder(queries, moved(order, move.to));
    },
    onSuccess: (order) => {
      putOrder(queries, order);
      say(texts.moved(order.id, order.status, knownPetName(queries, order.petId)));
    },
    onError: async (error, { order, move }) => {
      lastMoved.set(order.id);
      putOrder(queries, order);
      // Someone else may have changed the order, so the console loads the order's current state.
      const present = await petstore.orders.get(order.id).catch(() => undefined);
      if (present) putOrder(queries, present);
      if (present && present.status !== order.status) refuse(present, move.to);
      else sayUndone(texts.moved(order.id, `was not ${move.to}`, knownPetName(queries, order.petId)), error);
    },
    onSettled: (_, __, { order }) => refreshAfter(queries, order),
  });
};
