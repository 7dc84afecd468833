import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { type Pet, toPetBody } from './pet.ts';
import { getPetContract } from './pets.contracts.ts';
import type { PetReads } from './pets.repository.ts';

const show = (pet: Pet) => ({ body: toPetBody(pet), version: pet.version });

export const getPet = reads(getPetContract, ({ pets }: { pets: PetReads }, { path: { petId } }) => {
  const pet = pets.find(petId);
  if (pet instanceof Promise) return pet.then((found) => show(orNotFound(found, 'pet', petId)));
  return show(pet ?? orNotFound<Pet>(pet, 'pet', petId));
});
