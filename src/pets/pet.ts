import { z } from 'zod';
import { int64 } from '../kernel/int64.ts';
import { jsonInteger } from '../kernel/json.ts';
import { nameText } from '../kernel/text.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof PET_STATUSES)[number];

export type Pet = { id: bigint; name: string; categoryId: bigint; status: PetStatus; version: bigint };

export const petStatus = z
  .enum(PET_STATUSES, { error: 'must be one of available, pending, sold' })
  .meta({ id: 'PetStatus', description: 'Where the animal stands in its sale.' });

const name = nameText.meta({ description: "The animal's name.", examples: ['Rex'] });
const categoryId = int64.meta({ description: 'Identifier of the category the animal belongs to.', examples: [1] });

export const newPet = z
  .object({ name, categoryId, status: petStatus.default('available') }, { error: 'must be a JSON object' })
  .meta({ id: 'NewPet', description: 'An animal to add.', examples: [{ name: 'Rex', categoryId: 1 }] });

export const petBody = z
  .object({
    id: int64.meta({ description: 'Assigned by the service on creation.', examples: [7] }),
    name,
    categoryId,
    status: petStatus.optional(),
  })
  .meta({
    id: 'Pet',
    description: 'An animal of the store.',
    examples: [{ id: 7, name: 'Rex', categoryId: 1, status: 'available' }],
  });

export const petsBody = z.array(petBody).meta({ id: 'Pets', description: 'Animals, ordered by id.' });

/** The animal as the interface shows it: these four fields and no other. */
export const toPetBody = (pet: Pet) => ({
  id: jsonInteger(pet.id),
  name: pet.name,
  categoryId: jsonInteger(pet.categoryId),
  status: pet.status,
});
