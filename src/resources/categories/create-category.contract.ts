import { contract } from '../../kernel/contract.ts';
import { categoryBody, newCategory } from './category.ts';

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
