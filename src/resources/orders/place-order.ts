import { Failure } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import { petChanges } from '../pets/pet.ts';
import { lockPet } from '../pets/pets.repository.ts';
import type { OrderRepositories } from './move-order.ts';
import { toOrderBody } from './order.ts';
import { placeOrderContract } from './orders.contracts.ts';

export const placeOrder = writes(
  placeOrderContract,
  async (repositories: OrderRepositories, { body }, { keyId }, { orderHoldMs }: { orderHoldMs: number }) => {
    const pet = await lockPet(repositories.pets, body.petId);
    if (pet.status !== 'available') {
      throw new Failure(
        'pet_not_available',
        `Pet ${pet.id} is \`${pet.status}\`, so it cannot be ordered. List available pets with GET /pets?status=available.`,
      );
    }

    const now = repositories.now();
    const order = await repositories.orders.insert({
      petId: pet.id,
      status: 'placed',
      placedByKeyId: keyId ?? '',
      placedAt: now,
      updatedAt: now,
      expiresAt: now + orderHoldMs,
    });
    const held = await repositories.pets.update(pet, { status: 'pending', heldByOrderId: order.id });

    const shown = toOrderBody(order);
    await repositories.events.append({ type: 'order.placed', object: shown, petId: pet.id, orderId: order.id });
    for (const change of petChanges(pet, held, order.id)) await repositories.events.append(change);
    return { body: shown, location: `/store/orders/${order.id}` };
  },
);
