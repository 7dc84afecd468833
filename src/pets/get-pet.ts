import { reads } from '../kernel/operation.ts';
import { upon } from '../kernel/soon.ts';
import { getPetContract } from './get-pet.contract.ts';
import { toPetBody } from './pet.ts';
import { findPet, type PetReads } from './pets.store.ts';

export const getPet = reads(getPetContract, (stores: { pets: PetReads }, { path }) =>
  upon(findPet(stores.pets, path.petId), (pet) => ({ body: toPetBody(pet), version: pet.version })),
);
