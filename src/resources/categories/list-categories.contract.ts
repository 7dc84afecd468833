import { contract } from '../../kernel/contract.ts';
import { int64Text } from '../../kernel/int64.ts';
import { listOf } from '../../kernel/schema.ts';
import { categoryBody } from './category.ts';

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
