import { contract } from '../../kernel/contract.ts';
import { categoryBody, categoryIdText } from './category.ts';

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
