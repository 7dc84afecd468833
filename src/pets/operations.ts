import { createPet } from './create-pet.ts';
import { getInventory } from './get-inventory.ts';
import { getPet } from './get-pet.ts';
import { listPets } from './list-pets.ts';

export const petOperations = [listPets, createPet, getPet, getInventory];
