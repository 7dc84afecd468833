import { z } from 'zod';
import type { BodyOf } from '../kernel/contract.ts';
import { int64, int64Text } from '../kernel/int64.ts';
import { jsonInteger } from '../kernel/json.ts';
import { nameText } from '../kernel/text.ts';

/** A category; one that an animal names and nobody has described has no name. */
export type Category = { id: bigint; name: string | null };

export const categoryIdText = int64Text.meta({ description: 'The identifier of the category.' });

const name = nameText.meta({ description: 'What the category is called.', examples: ['Hedgehogs'] });

export const newCategory = z
  .object({ name }, { error: 'must be a JSON object' })
  .meta({ id: 'CategoryCreation', description: 'A category to add.', examples: [{ name: 'Hedgehogs' }] });

export const categoryChange = z
  .object({ name }, { error: 'must be a JSON object' })
  .partial()
  .meta({ id: 'CategoryChange', description: 'What to change of a category.', examples: [{ name: 'Hedgehogs' }] });

export const categoryBody = z
  .object({
    id: int64.meta({ description: 'The number that animals name.', examples: [1000] }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Null until somebody describes it.', examples: ['Hedgehogs'] }),
  })
  .meta({ id: 'Category', description: 'A category of animals.', examples: [{ id: 1000, name: 'Hedgehogs' }] });

export const toCategoryBody = ({ id, name }: Category): BodyOf<typeof categoryBody> => ({ id: jsonInteger(id), name });
