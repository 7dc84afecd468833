import { z } from 'zod';
import { type BodyOf, MAX_ROWS } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';
import { type Change, changedFields } from '../../kernel/operation.ts';
import { EXAMPLE, int64, int64Text, jsonInteger, jsonObject, listOf, nameText, objectOf } from '../../kernel/schema.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof PET_STATUSES)[number];

export type Pet = {
  id: bigint;
  name: string;
  categoryId: bigint;
  status: PetStatus;
  version: bigint;
  heldByOrderId: bigint | null;
};

const NEXT: Record<PetStatus, readonly PetStatus[]> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: [],
};

export const petStatus = z.enum(PET_STATUSES, { error: 'must be one of available, pending, sold' }).meta({
  id: 'PetStatus',
  description:
    'Status of the pet. `available` can change to `pending` or `sold`; `pending` can change to `available` or `sold`; ' +
    '`sold` is final.',
  examples: ['available'],
});

export const petIdText = int64Text.meta({ description: 'The identifier of the pet.', examples: [EXAMPLE.petId] });

const name = nameText.meta({
  description: "The animal's name: 1 to 255 characters, not only white space. Stored and returned exactly as sent.",
  examples: ['Rex'],
});
const categoryId = int64.meta({
  description:
    'Identifier of the category the animal belongs to. If the category does not exist, it is created without a name.',
  examples: [1],
});

export const petChange = jsonObject({ name, categoryId, status: petStatus })
  .partial()
  .meta({
    id: 'PetChange',
    description: 'Changes to a pet. Omitted fields stay as they are; null is not allowed.',
    examples: [{ name: 'Rex II' }],
  });

export const newPet = objectOf({ name: 'Rex', categoryId: 1 }, 'NewPet', 'A pet to add.', {
  name,
  categoryId,
  // Does not use `default`, which would make the field required in generated types.
  status: petStatus
    .optional()
    .transform((status) => status ?? 'available')
    .describe('Status of the pet; `available` if omitted.'),
});

const BATCH = {
  pets: [
    { name: 'Rex', categoryId: 1 },
    { name: 'Mia', categoryId: 2, status: 'pending' },
  ],
};

export const newPetBatch = objectOf(BATCH, 'NewPetBatch', 'Pets to add together.', {
  pets: z
    .array(newPet, { error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of pets') })
    .min(1, 'must contain at least one pet')
    .max(MAX_ROWS, `must have at most ${MAX_ROWS} pets`)
    .describe('The pets to add. Their ids are assigned in this order.'),
});

const PET = { id: EXAMPLE.petId, name: 'Rex', categoryId: 1, status: 'available' };

export const petBody = objectOf(PET, 'Pet', 'A pet in the store.', {
  id: int64.meta({ description: 'Assigned by the service on creation.', examples: [EXAMPLE.petId] }),
  name,
  categoryId,
  status: petStatus.optional(),
});

export const petsBody = listOf(petBody, 'Pets', 'Pets, sorted by id, or by name if `sort=name` is given.');

export const toPetBody = (pet: Pet): BodyOf<typeof petBody> => ({
  id: jsonInteger(pet.id),
  name: pet.name,
  categoryId: jsonInteger(pet.categoryId),
  status: pet.status,
});

export const refuseMove = (pet: Pet, to: PetStatus): void => {
  if (pet.status === to) return;
  if (pet.heldByOrderId !== null) {
    throw new Failure(
      'pet_reserved',
      `Pet ${pet.id} is reserved by order ${pet.heldByOrderId}, so its status cannot be changed directly. ` +
        `Deliver the order, or cancel it (POST /store/orders/${pet.heldByOrderId}/cancel).`,
    );
  }
  if (!NEXT[pet.status].includes(to)) {
    throw new Failure(
      'invalid_status_transition',
      `Pet ${pet.id} is \`${pet.status}\`, which is final, so it cannot become \`${to}\`. Add a new pet instead (POST /pets).`,
    );
  }
};

export const petChanges = (before: Pet, after: Pet, orderId?: bigint): Change[] => {
  const [was, is] = [toPetBody(before), toPetBody(after)];
  const { status, ...others } = changedFields(was, is) ?? {};
  const about = { object: is, petId: after.id, ...(orderId === undefined ? {} : { orderId }) };
  return [
    ...(Object.keys(others).length > 0 ? [{ type: 'pet.updated' as const, previous: others, ...about }] : []),
    ...(status === undefined ? [] : [{ type: 'pet.status_changed' as const, previous: { status }, ...about }]),
  ];
};

export type NamePosition = { foldedName: string; id: bigint };

/** Lists and searches use only this many characters at the start of a name. */
const INDEXED_CHARACTERS = 64;

/**
 * Names are not folded in SQL, because each database folds text differently. At the end of a word, the Greek σ is
 * written as ς. Both become σ, because a search term may stop in the middle of a word.
 */
export const foldName = (name: string): string => {
  const folded = name.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
  return folded.length <= INDEXED_CHARACTERS ? folded : [...folded].slice(0, INDEXED_CHARACTERS).join('');
};

const LAST_CODE_POINT = 0x10ffff;
const [BEFORE_SURROGATES, AFTER_SURROGATES] = [0xd7ff, 0xe000];

/** Returns the first string after all strings with this prefix, in code point order, which the databases also use. */
export const afterPrefix = (prefix: string): string | undefined => {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  return String.fromCodePoint(...points, last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1);
};

export type PetLimits = {
  petLimit?: number | null | undefined;
  /** The service's own limit on pets per store. Only sandboxes have this limit. */
  maxPets?: number | undefined;
};

export const petLimitOf = ({ petLimit, maxPets }: PetLimits): number | null => {
  const limit = Math.min(petLimit ?? Number.POSITIVE_INFINITY, maxPets ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(limit) ? limit : null;
};
