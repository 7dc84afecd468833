import type { CategoryStore } from '../categories/categories.store.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import { refuseStale } from '../kernel/precondition.ts';
import { petChanges, refuseMove, toPetBody } from './pet.ts';
import { lockPet, type PetStore } from './pets.store.ts';
import { updatePetContract } from './update-pet.contract.ts';

type Stores = { pets: PetStore; categories: CategoryStore; events: EventLog };

export const updatePet = writes(updatePetContract, async (stores: Stores, { path, body, ifMatch }) => {
  const pet = await lockPet(stores.pets, path.petId);
  refuseStale(ifMatch, pet.version);
  if (body.status !== undefined) refuseMove(pet, body.status);
  const wanted = {
    name: body.name ?? pet.name,
    categoryId: body.categoryId ?? pet.categoryId,
    status: body.status ?? pet.status,
  };
  const changes = petChanges(pet, { ...pet, ...wanted });
  if (changes.length === 0) return { body: toPetBody(pet), version: pet.version };

  if (wanted.categoryId !== pet.categoryId) await stores.categories.record(wanted.categoryId);
  const changed = await stores.pets.update(pet, wanted);
  for (const change of changes) await stores.events.append(change);
  return { body: toPetBody(changed), version: changed.version };
});
