import { reads } from '../../kernel/operation.ts';
import { getPetContract } from './get-pet.contract.ts';
import { type Pet, toPetBody } from './pet.ts';
import { findPet, type PetReads } from './pets.repository.ts';

const show = (pet: Pet) => ({ body: toPetBody(pet), version: pet.version });

export const getPet = reads(getPetContract, (repositories: { pets: PetReads }, { path }) => {
  const pet = findPet(repositories.pets, path.petId);
  return pet instanceof Promise ? pet.then(show) : show(pet);
});
