import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { count, formatCount, int64, int64Text, jsonInteger, nameText, objectOf } from '../../kernel/schema.ts';

/** A pet may use any category id. If the category does not exist, the service creates it without a name. */
export type Category = { id: bigint; name: string | null };

export type CountedCategory = Category & { pets?: bigint };

/** The service counts at most this many pets in a category, because counting reads one index entry per pet. */
export const MAX_COUNTED = 1000;

export const categoryIdText = int64Text.meta({ description: 'The identifier of the category.', examples: [1000] });

const name = nameText.meta({
  description: 'Name of the category: 1 to 255 characters, not only white space.',
  examples: ['Hedgehogs'],
});

export const newCategory = objectOf({ name: 'Hedgehogs' }, 'CategoryCreation', 'A category to create.', { name });

export const categoryChange = newCategory.partial().meta({
  id: 'CategoryChange',
  description: 'Changes to a category. Omitted fields stay as they are.',
  examples: [{ name: 'Pygmy hedgehogs' }],
});

export const categoryMerge = objectOf({ into: 1 }, 'CategoryMerge', 'Where to move the pets of a category.', {
  into: int64.meta({ description: 'The category that receives the pets.', examples: [1] }),
});

const PROGRESS = { moved: 120, hasMore: false };

export const categoryMergeBody = objectOf(PROGRESS, 'CategoryMergeProgress', 'Progress of a merge.', {
  moved: count.describe('Pets that this request moved.'),
  hasMore: z
    .boolean()
    .describe(
      'True if the category still has pets. Send the request again, with a new `Idempotency-Key`, to move them.',
    ),
});

export const categoryBody = objectOf({ id: 1000, name: 'Hedgehogs' }, 'Category', 'A category of pets.', {
  id: int64.meta({ description: 'The `categoryId` of its pets.', examples: [1000] }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Name of the category; null until it is set.', examples: ['Hedgehogs'] }),
  pets: count
    .optional()
    .describe(
      `Number of pets in the category, only with \`count=pets\`. ${formatCount(MAX_COUNTED)} means that many or more.`,
    ),
});

export const toCategoryBody = ({ id, name, pets }: CountedCategory): BodyOf<typeof categoryBody> => ({
  id: jsonInteger(id),
  name,
  ...(pets === undefined ? {} : { pets: Number(pets) }),
});
