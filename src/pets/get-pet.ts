import { Failure } from '../kernel/failure.ts';
import { reads } from '../kernel/operation.ts';
import { getPetContract } from './get-pet.contract.ts';
import { toPetBody } from './pet.ts';
import type { PetReads } from './pets.store.ts';

export const getPet = reads(getPetContract, async (stores: { pets: PetReads }, { path }) => {
  const pet = await stores.pets.find(path.petId);
  if (!pet) throw new Failure('not_found', `There is no pet ${path.petId}.`);
  return { body: toPetBody(pet), version: pet.version };
});
