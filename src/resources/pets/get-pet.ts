import { chain } from '../../kernel/maybe-promise.ts';
import { reads } from '../../kernel/operation.ts';
import { toPetBody } from './pet.ts';
import { getPetContract } from './pets.contracts.ts';
import { findPet, type PetReads } from './pets.repository.ts';

export const getPet = reads(getPetContract, (repositories: { pets: PetReads }, { path }) =>
  chain(findPet(repositories.pets, path.petId), (pet) => ({ body: toPetBody(pet), version: pet.version })),
);
