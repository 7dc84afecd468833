import { createPet } from './create-pet.ts';
import { deletePet } from './delete-pet.ts';
import { getInventory } from './get-inventory.ts';
import { getPet } from './get-pet.ts';
import { listPets } from './list-pets.ts';
import { updatePet } from './update-pet.ts';

export const petOperations = [listPets, createPet, getPet, updatePet, deletePet, getInventory];
