import { chain } from '../../kernel/maybe-promise.ts';
import { reads } from '../../kernel/operation.ts';
import { getPetContract } from './get-pet.contract.ts';
import { toPetBody } from './pet.ts';
import { findPet, type PetReads } from './pets.repository.ts';

export const getPet = reads(getPetContract, (repositories: { pets: PetReads }, { path }) =>
  chain(findPet(repositories.pets, path.petId), (pet) => ({ body: toPetBody(pet), version: pet.version })),
);
