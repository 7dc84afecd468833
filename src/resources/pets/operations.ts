import { reads } from '../../kernel/operation.ts';
import { jsonInteger } from '../../kernel/schema.ts';
import { createPet, createPetBatch } from './create-pet.ts';
import { deletePet } from './delete-pet.ts';
import { getPet } from './get-pet.ts';
import { listPets } from './list-pets.ts';
import { mergeCategory } from './merge-category.ts';
import { getInventoryContract } from './pets.contracts.ts';
import type { PetReads } from './pets.repository.ts';
import { updatePet } from './update-pet.ts';

const getInventory = reads(getInventoryContract, async ({ pets }: { pets: PetReads }) => {
  const { available, pending, sold } = await pets.inventory();
  return { body: { available: jsonInteger(available), pending: jsonInteger(pending), sold: jsonInteger(sold) } };
});

export const petOperations = [
  listPets,
  createPet,
  createPetBatch,
  getPet,
  updatePet,
  deletePet,
  getInventory,
  mergeCategory,
];
