import { createPet } from './create-pet.ts';
import { createPetBatch } from './create-pet-batch.ts';
import { deletePet } from './delete-pet.ts';
import { getInventory } from './get-inventory.ts';
import { getPet } from './get-pet.ts';
import { listPets } from './list-pets.ts';
import { mergeCategory } from './merge-category.ts';
import { updatePet } from './update-pet.ts';

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
