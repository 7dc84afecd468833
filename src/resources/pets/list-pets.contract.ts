import { z } from 'zod';
import { contract } from '../../kernel/contract.ts';
import { int64Text, parseInt64 } from '../../kernel/int64.ts';
import { nameText } from '../../kernel/schema.ts';
import { foldName, type NamePosition } from './pet.name.ts';
import { petStatus, petsBody } from './pet.ts';

const MOST_IDS = 100;

const byValue = (a: bigint, b: bigint): number => (a < b ? -1 : 1);

/** Comma separated ids; the same id twice is one id, and their order means nothing. */
const ids = z
  .string()
  .transform((text, context) => {
    const items = text.split(',').map(parseInt64);
    if (items.length <= MOST_IDS && items.every((item) => item !== undefined)) return [...new Set(items)].sort(byValue);
    context.addIssue({ code: 'custom', message: `must be 1 to ${MOST_IDS} int64 ids separated by commas` });
    return z.NEVER;
  })
  .meta({
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    minItems: 1,
    maxItems: MOST_IDS,
    description: 'Only the animals with these identifiers, separated by commas. Those that name none are left out.',
    examples: [[1, 2, 3]],
  });

const POSITION = /^([^.]+)(?:\.([^\0]+))?$/s;

/** Where a page begins: behind an id, and in a list by name behind the name before it. */
const position = z.string().transform((text, context): NamePosition => {
  const [, spelled = '', foldedName = ''] = POSITION.exec(text) ?? [];
  const id = parseInt64(spelled);
  if (id !== undefined) return { foldedName, id };
  context.addIssue({ code: 'custom', message: 'must be an id, or an id and a name' });
  return z.NEVER;
});

export const listPetsContract = contract({
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  command: 'pets list',
  tag: 'Pets',
  summary: 'List all animals',
  description:
    'Returns a paginated list of animals. Filters combine. The next page is in the `Link` header under `rel="next"`; ' +
    'the last page has none. With exactly one id in `ids` the answer carries the `ETag` of that animal.',
  scope: 'pets:read',
  input: {
    query: {
      status: petStatus.optional().meta({ description: 'Only animals with this status.' }),
      categoryId: int64Text.optional().meta({ description: 'Only animals of this category.', examples: [1] }),
      ids: ids.optional(),
      sort: z
        .enum(['id', 'name'], { error: 'must be id or name' })
        .optional()
        .meta({
          'x-stability': 'beta',
          description:
            'By what the animals are ordered: their id, or their name and then their id. Left out, it is the name where `name` ' +
            'is given, and else the id. Beta.',
          examples: ['name'],
        }),
      name: nameText
        .transform(foldName)
        .optional()
        .meta({
          'x-stability': 'beta',
          description:
            'Only animals whose name begins with this, in capital or small letters alike, in the order of their names. What ' +
            'lies beyond 64 characters is not compared. Beta.',
          examples: ['re'],
        }),
    },
  },
  paged: position,
  repeatable: true,
  answer: { status: 200, description: 'A page of animals', body: petsBody, headers: ['ETag'] },
});
