import { refuseStale, writes } from '../../kernel/operation.ts';
import type { PetRepositories } from './create-pet.ts';
import { petChanges, refuseMove, toPetBody } from './pet.ts';
import { updatePetContract } from './pets.contracts.ts';
import { lockPet } from './pets.repository.ts';

export const updatePet = writes(updatePetContract, async (repositories: PetRepositories, { path, body, ifMatch }) => {
  const pet = await lockPet(repositories.pets, path.petId);
  refuseStale(ifMatch, pet.version);
  if (body.status !== undefined) refuseMove(pet, body.status);
  const wanted = {
    name: body.name ?? pet.name,
    categoryId: body.categoryId ?? pet.categoryId,
    status: body.status ?? pet.status,
  };
  const changes = petChanges(pet, { ...pet, ...wanted });
  if (changes.length === 0) return { body: toPetBody(pet), version: pet.version };

  if (wanted.categoryId !== pet.categoryId) await repositories.categories.record(wanted.categoryId);
  const changed = await repositories.pets.update(pet, wanted);
  for (const change of changes) await repositories.events.append(change);
  return { body: toPetBody(changed), version: changed.version };
});
