import { reads } from '../../kernel/operation.ts';
import { jsonInteger } from '../../kernel/schema.ts';
import { getInventoryContract } from './pets.contracts.ts';
import type { PetReads } from './pets.repository.ts';

export const getInventory = reads(getInventoryContract, async (repositories: { pets: PetReads }) => {
  const { available, pending, sold } = await repositories.pets.inventory();
  return { body: { available: jsonInteger(available), pending: jsonInteger(pending), sold: jsonInteger(sold) } };
});
