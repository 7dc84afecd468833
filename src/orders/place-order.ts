import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { Failure } from '../kernel/failure.ts';
import { writes } from '../kernel/operation.ts';
import { petChanges } from '../pets/pet.ts';
import { lockPet, type PetStore } from '../pets/pets.store.ts';
import { toOrderBody } from './order.ts';
import type { OrderStore } from './orders.store.ts';
import { placeOrderContract } from './place-order.contract.ts';

type Stores = { pets: PetStore; orders: OrderStore; events: EventLog; now: Clock };

export const placeOrder = ({ holdMs }: { holdMs: number }) =>
  writes(placeOrderContract, async (stores: Stores, { body }, { keyId }) => {
    const pet = await lockPet(stores.pets, body.petId);
    if (pet.status !== 'available') throw new Failure('pet_not_available', `The pet ${pet.id} is ${pet.status}.`);

    const now = stores.now();
    const order = await stores.orders.insert({
      petId: pet.id,
      status: 'placed',
      placedByKeyId: keyId ?? '',
      placedAt: now,
      updatedAt: now,
      expiresAt: now + holdMs,
    });
    const held = await stores.pets.update(pet, { status: 'pending', heldByOrderId: order.id });

    const shown = toOrderBody(order);
    await stores.events.append({ type: 'order.placed', object: shown, orderId: order.id });
    for (const change of petChanges(pet, held, order.id)) await stores.events.append(change);
    return { body: shown, location: `/store/orders/${order.id}` };
  });
