import type { Clock } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event.ts';
import type { OrderRepository } from '../orders/orders.repository.ts';
import { toPetBody } from '../pets/pet.ts';
import type { PetRepository } from '../pets/pets.repository.ts';
import { SAMPLES } from './samples.ts';

type Repositories = { pets: PetRepository; orders: OrderRepository; events: EventLog; now: Clock };

/** Fills a store with the sample animals and the orders behind them. */
export const seedStore = async (repositories: Repositories, keyId: string): Promise<void> => {
  const now = repositories.now();
  for (const { order: status, ...sample } of SAMPLES) {
    const pet = await repositories.pets.insert(sample);
    await repositories.events.append({ type: 'pet.created', object: toPetBody(pet), petId: pet.id });
    if (status === undefined) continue;
    const times = { placedAt: now, updatedAt: now, expiresAt: null };
    const order = await repositories.orders.insert({ petId: pet.id, status, placedByKeyId: keyId, ...times });
    if (status === 'approved') await repositories.pets.update(pet, { heldByOrderId: order.id });
  }
};
