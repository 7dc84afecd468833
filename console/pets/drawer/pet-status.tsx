import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { ShoppingBag } from 'lucide-react';
import { moveOne } from '../../data/counts.ts';
import { useValue } from '../../data/value.ts';
import { Button } from '../../kit/button.tsx';
import { ifConnected } from '../../kit/overlay/toasts.tsx';
import { withUndo } from '../../kit/overlay/undo.ts';
import { brief } from '../../kit/text.ts';
import { settling } from '../../orders/close-order.ts';
import { useSession } from '../../session/session.ts';
import { common } from '../../texts.ts';
import { NEXT_STATUSES } from '../moves.ts';
import { openOrderOf } from '../open-orders.ts';
import { type PetVersion, petKey, refreshPet, showStatus } from '../pet-cache.ts';
import { texts } from '../texts.ts';
import { Identity } from './identity.tsx';
import { OpenOrder, useOrderMove, usePetOrders } from './pet-orders.tsx';
import type { SavePet } from './pet-version.ts';

/** A sold pet stays sold, so the request is sent only after the user has had time to undo the sale. */
const useSellSoon = (pet: PetVersion['pet'], etag: string | undefined) => {
  const session = useSession();
  const queries = useQueryClient();
  const { id, status = 'available' } = pet;
  return () =>
    withUndo(session, queries, {
      step: `sell pet ${id}`,
      text: texts.drawer.sold(brief(pet.name)),
      undone: texts.drawer.notSold(brief(pet.name)),
      show: () => showStatus(queries, id, status, 'sold'),
      counted: moveOne(status, 'sold'),
      send: (petstore) => petstore.pets.update(id, { status: 'sold' }, { ifMatch: etag }),
      revert: () => showStatus(queries, id, 'sold', status),
      onSettled: () => void refreshPet(queries, String(id)),
    });
};

type Props = { version: PetVersion; save: SavePet };

export const PetStatus = ({ version: { pet, etag }, save }: Props) => {
  const { can } = useSession();
  const id = String(pet.id);
  const orders = usePetOrders(id);
  const place = useOrderMove(id);
  const { status = 'available' } = pet;
  const open = openOrderOf(orders.data ?? []);
  const isSettling = useValue(settling).has(id);
  // The service refuses to change a pet with an open order, so no status is offered until the orders are loaded.
  const isFree = !isSettling && (!can('orders:read') || (orders.isSuccess && !open));
  // Closing an order also changes its pet, so the user cannot change the pet until its new version is loaded.
  const isBeingRead = useIsFetching({ queryKey: petKey(id) }) > 0;
  const sellSoon = useSellSoon(pet, etag);
  const moves = isFree && can('pets:write') ? NEXT_STATUSES[status] : [];
  const canPlace = status === 'available' && isFree && can('orders:write');
  return (
    <section className="stack" aria-label={common.status}>
      <Identity pet={pet} />
      {open && <OpenOrder order={open} />}
      {(canPlace || moves.length > 0) && (
        <div className="status-steps">
          {canPlace && (
            <Button
              kind="tint"
              icon={ShoppingBag}
              isBusy={place.isPending}
              onClick={() => ifConnected(() => place.mutate(undefined))}
            >
              {common.placeOrder}
            </Button>
          )}
          {moves.map((to) => (
            <Button
              key={to}
              isBusy={save.isPending}
              disabled={isBeingRead}
              onClick={() =>
                ifConnected(() => (to === 'sold' ? sellSoon() : save.mutate({ change: { status: to }, etag })))
              }
            >
              {texts.drawer.markAs(to)}
            </Button>
          ))}
        </div>
      )}
      {moves.includes('sold') && <span className="soft">{texts.drawer.sellHint}</span>}
      {status === 'sold' && <span className="soft">{texts.drawer.isSold}</span>}
    </section>
  );
};
