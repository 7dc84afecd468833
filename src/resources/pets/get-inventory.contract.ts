import { z } from 'zod';
import { contract } from '../../kernel/contract.ts';
import { int64 } from '../../kernel/int64.ts';
import { PET_STATUSES, type PetStatus } from './pet.ts';

const counts = Object.fromEntries(
  PET_STATUSES.map((status) => [status, int64.meta({ description: `How many animals are ${status}.` })]),
) as Record<PetStatus, typeof int64>;

export const getInventoryContract = contract({
  id: 'getInventory',
  method: 'GET',
  path: '/store/inventory',
  command: 'store inventory',
  tag: 'Store',
  summary: 'Get the inventory',
  description: 'Returns how many animals of the store have each status.',
  scope: 'orders:read',
  input: {},
  answer: {
    status: 200,
    description: 'The number of animals of each status',
    body: z.object(counts).meta({
      id: 'Inventory',
      description: 'Counts of animals by status.',
      examples: [{ available: 3, pending: 1, sold: 2 }],
    }),
  },
  stability: 'beta',
});
