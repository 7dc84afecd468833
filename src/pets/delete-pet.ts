import type { EventLog } from '../kernel/event.ts';
import { Failure } from '../kernel/failure.ts';
import { writes } from '../kernel/operation.ts';
import { refuseStale } from '../kernel/precondition.ts';
import { deletePetContract } from './delete-pet.contract.ts';
import { toPetBody } from './pet.ts';
import { lockPet, type PetStore } from './pets.store.ts';

type Stores = { pets: PetStore; events: EventLog };

export const deletePet = writes(deletePetContract, async (stores: Stores, { path, ifMatch }) => {
  const pet = await lockPet(stores.pets, path.petId);
  refuseStale(ifMatch, pet.version);
  if (pet.heldByOrderId !== null) {
    throw new Failure(
      'pet_reserved',
      `The order ${pet.heldByOrderId} holds the pet ${pet.id}; cancel the order first.`,
    );
  }
  await stores.pets.remove(pet);
  await stores.events.append({ type: 'pet.deleted', object: toPetBody(pet), petId: pet.id });
  return {};
});
