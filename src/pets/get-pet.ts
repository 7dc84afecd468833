import { reads } from '../kernel/operation.ts';
import { getPetContract } from './get-pet.contract.ts';
import { toPetBody } from './pet.ts';
import { findPet, type PetReads } from './pets.store.ts';

export const getPet = reads(getPetContract, async (stores: { pets: PetReads }, { path }) => {
  const pet = await findPet(stores.pets, path.petId);
  return { body: toPetBody(pet), version: pet.version };
});
