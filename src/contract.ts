import { createKeyContract } from './keys/create-key.contract.ts';
import { createPetContract } from './pets/create-pet.contract.ts';
import { getInventoryContract } from './pets/get-inventory.contract.ts';
import { getPetContract } from './pets/get-pet.contract.ts';
import { listPetsContract } from './pets/list-pets.contract.ts';

/** Everything the service promises, in the order in which people should meet it. */
export const CONTRACTS = [
  listPetsContract,
  createPetContract,
  getPetContract,
  getInventoryContract,
  createKeyContract,
] as const;

/** The navigation groups. */
export const TAGS = [
  { name: 'Pets', description: 'The animals of the store.' },
  { name: 'Store', description: 'What the store has and what it sells.' },
  { name: 'Keys', description: 'Who may call, how often, and what for. For the operator.' },
] as const;
