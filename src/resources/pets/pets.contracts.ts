import { z } from 'zod';
import { contract, MAX_BATCHES, MAX_ROWS, ROWS_PER_REQUEST } from '../../kernel/contract.ts';
import { formatCount, int64, int64Text, nameText, objectOf, parsed, parseInt64 } from '../../kernel/schema.ts';
import { categoryIdText, categoryMerge, categoryMergeBody } from '../categories/category.ts';
import {
  foldName,
  type NamePosition,
  newPet,
  newPetBatch,
  PET_STATUSES,
  type PetStatus,
  petBody,
  petChange,
  petIdText,
  petStatus,
  petsBody,
} from './pet.ts';

const PETS = { tag: 'Pets', scope: 'pets:write', stability: 'beta' } as const;

const MAX_IDS = 100;

/** `readQuery` joins repeated parameters, so `ids=1&ids=2` arrives here as `1,2`. */
const ids = parsed((text) => {
  const items = text.split(',').map(parseInt64);
  const areIds = items.length <= MAX_IDS && items.every((item) => item !== undefined);
  return areIds ? [...new Set(items)].sort((a, b) => (a < b ? -1 : 1)) : undefined;
}, `must be 1 to ${MAX_IDS} int64 ids separated by commas`).meta({
  type: 'array',
  items: { type: 'integer', format: 'int64' },
  minItems: 1,
  maxItems: MAX_IDS,
  description:
    'Only pets with these identifiers, separated by commas or in repeated parameters. Unknown identifiers are ignored.',
  examples: [[1, 2, 3]],
});

const POSITION = /^([^.]+)(?:\.([^\0]+))?$/s;

const position = parsed((text): NamePosition | undefined => {
  const [, spelled = '', foldedName = ''] = POSITION.exec(text) ?? [];
  const id = parseInt64(spelled);
  return id === undefined ? undefined : { foldedName, id };
}, 'must be an id, or an id and a name');

export const listPetsContract = contract('listPets', 'GET', '/pets', {
  command: 'pets list',
  tag: 'Pets',
  summary: 'List all animals',
  description:
    'Returns a paginated list of animals. Filters can be combined. The `Link` header with `rel="next"` ' +
    'points to the next page; the last page has no such link. With exactly one id in `ids`, the response carries the `ETag` of that animal.',
  scope: 'pets:read',
  input: {
    query: {
      status: petStatus.optional().describe('Only pets with this status.'),
      categoryId: int64Text.optional().meta({ description: 'Only pets in this category.', examples: [1] }),
      ids: ids.optional(),
      sort: z
        .enum(['id', 'name'], { error: 'must be id or name' })
        .optional()
        .meta({
          'x-stability': 'beta',
          description:
            'Sorts by `id`, or by `name` and then id. Default: `name` if the `name` parameter is set, otherwise `id`. With ' +
            '`categoryId`, a page sorted by name can be short or empty and still have a next page. Beta.',
          examples: ['name'],
        }),
      name: nameText
        .transform(foldName)
        .optional()
        .meta({
          'x-stability': 'beta',
          description:
            'Only pets whose name begins with this text, sorted by name. Case does not matter. Only the first 64 ' +
            'characters are compared. Beta.',
          examples: ['re'],
        }),
      search: nameText
        .transform(foldName)
        .optional()
        .meta({
          'x-stability': 'beta',
          description:
            'Only pets whose name contains this text in its first 64 characters. Case does not matter. A page can be short or ' +
            'empty and still have a next page. Beta.',
          examples: ['ex'],
        }),
    },
  },
  paged: position,
  repeatable: true,
  mayLag: true,
  answer: { status: 200, description: 'A page of animals', body: petsBody, headers: ['ETag'] },
});

export const createPetContract = contract('createPet', 'POST', '/pets', {
  command: 'pets create',
  tag: 'Pets',
  summary: 'Add an animal',
  description:
    'Adds a new animal. `status` defaults to `available`. A new `categoryId` creates a category without a name. ' +
    'Writes a `pet.created` event.',
  scope: 'pets:write',
  input: { body: newPet },
  answer: { status: 201, description: 'Animal added', body: petBody, headers: ['ETag', 'Location'] },
});

export const createPetBatchContract = contract('createPetBatch', 'POST', '/pets/batch', {
  ...PETS,
  command: 'pets create-batch',
  summary: 'Add many pets',
  description:
    `Adds up to ${formatCount(MAX_ROWS)} pets, all or none. Returns them in the order given. If any pet is invalid, ` +
    'the request fails with 400, and the message names each invalid pet. The body can be up to 1 MiB, and each pet up to ' +
    `64 KiB. A batch costs one request per ${ROWS_PER_REQUEST} pets, rounded up. The requests are counted before the pets ` +
    'are checked, so they count even if the batch is invalid. An invalid batch costs at least one request per 0.1 MiB of its body. ' +
    `Each key can have ${MAX_BATCHES.each} batches in progress; further batches get 503. ` +
    'Writes a `pet.created` event for each pet.',
  input: { body: newPetBatch },
  batchOf: 'pets',
  answer: { status: 201, description: 'Pets added', body: petsBody },
});

export const getPetContract = contract('getPet', 'GET', '/pets/{petId}', {
  command: 'pets get',
  tag: 'Pets',
  summary: 'Get an animal',
  description:
    'Returns one animal by identifier, with its version in `ETag`. This operation will be removed on 5 December 2030. Use ' +
    '`GET /pets?ids=` instead.',
  scope: 'pets:read',
  mayLag: true,
  input: { path: { petId: petIdText } },
  answer: { status: 200, description: 'The requested animal', body: petBody, headers: ['ETag'] },
  failures: ['not_found'],
  deprecation: {
    since: new Date('2026-11-15T00:00:00Z'),
    sunset: new Date('2030-12-05T00:00:00Z'),
    successor: '/pets',
  },
});

export const updatePetContract = contract('updatePet', 'PATCH', '/pets/{petId}', {
  ...PETS,
  command: 'pets update',
  summary: 'Update a pet',
  description:
    "Changes a pet's name, category or status. Omitted fields stay as they are. `available` can change to `pending` " +
    "or `sold`; `pending` can change to `available` or `sold`; `sold` is final. If an order holds the pet, the pet's " +
    'status cannot be changed directly. With `If-Match`, the pet is changed only if it still has the given ' +
    'version. Writes a `pet.updated` event if the name or category changes, then a `pet.status_changed` event if the ' +
    'status changes. A request that changes nothing writes no event.',
  input: { path: { petId: petIdText }, body: petChange },
  guarded: true,
  answer: { status: 200, description: 'The updated pet', body: petBody, headers: ['ETag'] },
  failures: ['pet_reserved', 'invalid_status_transition'],
});

export const deletePetContract = contract('deletePet', 'DELETE', '/pets/{petId}', {
  ...PETS,
  command: 'pets delete',
  summary: 'Delete a pet',
  description:
    'Deletes a pet, unless an order holds it. Past orders, events and history keep its id, which is never reused. ' +
    'With `If-Match`, the pet is deleted only if it still has the given version. Writes a `pet.deleted` event.',
  input: { path: { petId: petIdText } },
  guarded: true,
  answer: { status: 204, description: 'Pet deleted' },
  failures: ['pet_reserved'],
});

const counts = Object.fromEntries(
  PET_STATUSES.map((status) => [status, int64.describe(`Number of pets that are ${status}.`)]),
) as Record<PetStatus, typeof int64>;

export const getInventoryContract = contract('getInventory', 'GET', '/store/inventory', {
  command: 'store inventory',
  tag: 'Store',
  summary: 'Get the inventory',
  description: 'Returns the number of pets in the store by status.',
  scope: 'orders:read',
  mayLag: true,
  answer: {
    status: 200,
    description: 'The number of pets by status',
    body: objectOf({ available: 3, pending: 1, sold: 2 }, 'Inventory', 'Number of pets by status.', counts),
  },
  stability: 'beta',
});

export const mergeCategoryContract = contract('mergeCategory', 'POST', '/categories/{categoryId}/merge', {
  command: 'categories merge',
  tag: 'Categories',
  summary: 'Merge a category into another',
  description:
    'Moves the pets of a category to another category, up to 100 pets per request. If `hasMore` is true, send ' +
    'the request again, with a new `Idempotency-Key`. The last request deletes the category. Writes a `pet.updated` event for each pet, then `category.deleted`, ' +
    'which names the other category in `mergedInto`.',
  scope: 'categories:write',
  input: { path: { categoryId: categoryIdText }, body: categoryMerge },
  answer: { status: 200, description: 'Pets moved', body: categoryMergeBody },
  stability: 'beta',
});
