import { Failure } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import { lockPet, type PetRepository } from '../pets/pets.repository.ts';
import { toOrderBody } from './order.ts';
import { placeOrderContract } from './orders.contracts.ts';
import { holdPet, type OrderRepositories } from './orders.repository.ts';

type Repositories = OrderRepositories & { pets: PetRepository };

export const placeOrder = writes(
  placeOrderContract,
  async (repositories: Repositories, { body }, { keyId }, { orderHoldMs }: { orderHoldMs: number }) => {
    const pet = await lockPet(repositories.pets, body.petId);
    if (pet.status !== 'available') {
      throw new Failure(
        'pet_not_available',
        `Pet ${pet.id} is \`${pet.status}\`, so it cannot be ordered. List available pets with GET /pets?status=available.`,
      );
    }
    const order = await holdPet(repositories, pet, { keyId: keyId ?? '', holdMs: orderHoldMs });
    return { body: toOrderBody(order), location: `/store/orders/${order.id}` };
  },
);
