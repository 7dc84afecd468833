import { z } from 'zod';
import { contract } from '../../kernel/contract.ts';
import { int64Text, listOf } from '../../kernel/schema.ts';
import { categoryBody, categoryChange, categoryIdText, newCategory } from './category.ts';

const CATEGORIES = { tag: 'Categories', stability: 'beta' } as const;
const categories = listOf(categoryBody, 'Categories', 'Categories, sorted by id.');

export const listCategoriesContract = contract('listCategories', 'GET', '/categories', {
  ...CATEGORIES,
  command: 'categories list',
  summary: 'List categories',
  description: "Returns the store's categories, including categories without a name.",
  scope: 'pets:read',
  input: {
    query: {
      count: z
        .enum(['pets'], { error: 'must be pets' })
        .optional()
        .meta({ description: 'With `pets`, each category includes its number of pets.', examples: ['pets'] }),
    },
  },
  paged: int64Text,
  answer: { status: 200, description: 'A page of categories', body: categories },
});

export const createCategoryContract = contract('createCategory', 'POST', '/categories', {
  ...CATEGORIES,
  command: 'categories create',
  summary: 'Create a category',
  description:
    'Creates a category with the lowest unused identifier from 1,000 upwards. Writes a `category.created` event.',
  scope: 'categories:write',
  input: { body: newCategory },
  row: 'new category',
  answer: { status: 201, description: 'Category created', body: categoryBody, headers: ['Location'] },
});

export const getCategoryContract = contract('getCategory', 'GET', '/categories/{categoryId}', {
  ...CATEGORIES,
  command: 'categories get',
  summary: 'Get a category',
  description: 'Returns one category. A category exists for every `categoryId` that a pet has.',
  scope: 'pets:read',
  input: { path: { categoryId: categoryIdText } },
  answer: { status: 200, description: 'The category', body: categoryBody },
});

export const updateCategoryContract = contract('updateCategory', 'PATCH', '/categories/{categoryId}', {
  ...CATEGORIES,
  command: 'categories update',
  summary: 'Rename a category',
  description:
    'Sets the name of a category. Writes a `category.updated` event, unless the category already has that name.',
  scope: 'categories:write',
  input: { path: { categoryId: categoryIdText }, body: categoryChange },
  answer: { status: 200, description: 'The updated category', body: categoryBody },
});

export const deleteCategoryContract = contract('deleteCategory', 'DELETE', '/categories/{categoryId}', {
  ...CATEGORIES,
  command: 'categories delete',
  summary: 'Delete a category',
  description:
    'Deletes a category that has no pets. The service does not assign its identifier to a new category, but ' +
    'adding a pet with that `categoryId` creates the category again. Writes a `category.deleted` event.',
  scope: 'categories:write',
  input: { path: { categoryId: categoryIdText } },
  answer: { status: 204, description: 'Category deleted' },
  failures: ['category_in_use'],
});
