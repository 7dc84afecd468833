import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import type { OrderStore } from '../orders/orders.store.ts';
import { toPetBody } from '../pets/pet.ts';
import type { PetStore } from '../pets/pets.store.ts';
import { SAMPLES } from './samples.ts';

type Stores = { pets: PetStore; orders: OrderStore; events: EventLog; now: Clock };

/** Fills a store with the sample animals and the orders behind them. */
export const fillStore = async (stores: Stores, keyId: string): Promise<void> => {
  const now = stores.now();
  for (const { order: status, ...sample } of SAMPLES) {
    const pet = await stores.pets.insert(sample);
    await stores.events.append({ type: 'pet.created', object: toPetBody(pet), petId: pet.id });
    if (status === undefined) continue;
    const times = { placedAt: now, updatedAt: now, expiresAt: null };
    const order = await stores.orders.insert({ petId: pet.id, status, placedByKeyId: keyId, ...times });
    if (status === 'approved') await stores.pets.update(pet, { heldByOrderId: order.id });
  }
};
