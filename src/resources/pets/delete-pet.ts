import { Failure } from '../../kernel/failure.ts';
import { type EventLog, refuseStale, writes } from '../../kernel/operation.ts';
import { toPetBody } from './pet.ts';
import { deletePetContract } from './pets.contracts.ts';
import { lockPet, type PetRepository } from './pets.repository.ts';

type Repositories = { pets: PetRepository; events: EventLog };

export const deletePet = writes(deletePetContract, async (repositories: Repositories, { path, ifMatch }) => {
  const pet = await lockPet(repositories.pets, path.petId);
  refuseStale(ifMatch, pet.version);
  if (pet.heldByOrderId !== null) {
    throw new Failure(
      'pet_reserved',
      `Pet ${pet.id} is reserved by order ${pet.heldByOrderId}. Cancel the order first (POST /store/orders/${pet.heldByOrderId}/cancel).`,
    );
  }
  await repositories.pets.remove(pet);
  await repositories.events.append({ type: 'pet.deleted', object: toPetBody(pet), petId: pet.id });
  return {};
});
