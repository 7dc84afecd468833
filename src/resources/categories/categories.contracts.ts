import { contract } from '../../kernel/contract.ts';
import { int64Text } from '../../kernel/int64.ts';
import { listOf } from '../../kernel/schema.ts';
import { categoryBody, categoryChange, categoryIdText, newCategory } from './category.ts';

export const listCategoriesContract = contract({
  id: 'listCategories',
  method: 'GET',
  path: '/categories',
  command: 'categories list',
  tag: 'Categories',
  summary: 'List categories',
  description: 'Returns the categories of the store, those that an animal has and nobody has named among them.',
  scope: 'pets:read',
  input: {},
  paged: int64Text,
  answer: {
    status: 200,
    description: 'A page of categories',
    body: listOf(categoryBody, { id: 'Categories', description: 'Categories, ordered by id.' }),
  },
  stability: 'beta',
});

export const createCategoryContract = contract({
  id: 'createCategory',
  method: 'POST',
  path: '/categories',
  command: 'categories create',
  tag: 'Categories',
  summary: 'Create a category',
  description: 'Adds a category under the lowest free identifier from 1,000 up. Writes `category.created`.',
  scope: 'categories:write',
  input: { body: newCategory },
  row: 'new category',
  answer: { status: 201, description: 'Category added', body: categoryBody, headers: ['Location'] },
  stability: 'beta',
});

export const getCategoryContract = contract({
  id: 'getCategory',
  method: 'GET',
  path: '/categories/{categoryId}',
  command: 'categories get',
  tag: 'Categories',
  summary: 'Get a category',
  description: 'Returns one category. Every `categoryId` that an animal of the store ever had is one.',
  scope: 'pets:read',
  input: { path: { categoryId: categoryIdText } },
  answer: { status: 200, description: 'The category', body: categoryBody },
  stability: 'beta',
});

export const updateCategoryContract = contract({
  id: 'updateCategory',
  method: 'PATCH',
  path: '/categories/{categoryId}',
  command: 'categories update',
  tag: 'Categories',
  summary: 'Rename a category',
  description:
    'Names a category, or gives it another name. Writes `category.updated`, unless it has that name already.',
  scope: 'categories:write',
  input: { path: { categoryId: categoryIdText }, body: categoryChange },
  answer: { status: 200, description: 'The category as it is now', body: categoryBody },
  stability: 'beta',
});
