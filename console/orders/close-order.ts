import { useQueryClient } from '@tanstack/react-query';
import { moveOne } from '../data/counts.ts';
import { createValue } from '../data/value.ts';
import { withUndo } from '../kit/overlay/undo.ts';
import { refreshPet, showStatus } from '../pets/pet-cache.ts';
import { useSession } from '../session/session.ts';
import { moved, type OrderRow } from './moves.ts';
import { orderKey, putOrder, showOrder } from './order-lists.ts';
import { knownPetName } from './pet.ts';
import { texts } from './texts.ts';

const CLOSED = {
  deliver: { order: 'delivered', pet: 'sold' },
  cancel: { order: 'cancelled', pet: 'available' },
} as const;

/**
 * Pets whose order already looks closed on the page, although the service has not closed it yet. While the order is
 * open, the service refuses other changes to the pet.
 */
export const settling = createValue<ReadonlySet<string>>(new Set());

const settle = (id: string, isSettling: boolean): void => {
  const others = [...settling.get()].filter((one) => one !== id);
  settling.set(new Set(isSettling ? [...others, id] : others));
};

/** A closed order cannot be reopened, so the user gets some time to undo the action before the request is sent. */
export const useCloseSoon = () => {
  const session = useSession();
  const queries = useQueryClient();
  /** `onMoved` runs when the page begins to show the order as closed, and again if the page shows it as open again. */
  return (order: OrderRow, move: keyof typeof CLOSED, onMoved?: () => void): void => {
    const [id, to] = [String(order.petId), CLOSED[move]];
    const closed = moved(order, to.order);
    const name = knownPetName(queries, order.petId);
    settle(id, true);
    onMoved?.();
    withUndo(session, queries, {
      step: `${move} order ${order.id}`,
      text: texts.moved(order.id, to.order, name),
      undone: texts.moved(order.id, `was not ${to.order}`, name),
      show: () => {
        showOrder(queries, closed);
        showStatus(queries, order.petId, 'pending', to.pet);
      },
      counted: moveOne('pending', to.pet),
      send: async (petstore) => {
        try {
          putOrder(queries, await petstore.orders[move](order.id));
        } catch (error) {
          // Someone else may have changed the order, so the console loads the order's current state.
          const present = await petstore.orders.get(order.id).catch(() => undefined);
          if (present) putOrder(queries, present);
          throw error;
        }
      },
      revert: () => {
        settle(id, false);
        onMoved?.();
        showOrder(queries, order);
        showStatus(queries, order.petId, to.pet, 'pending');
      },
      onSettled: () => {
        settle(id, false);
        void refreshPet(queries, id);
        void queries.invalidateQueries({ queryKey: [...orderKey(order.id), 'story'] });
      },
    });
  };
};
