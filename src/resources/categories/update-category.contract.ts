import { contract } from '../../kernel/contract.ts';
import { categoryBody, categoryChange, categoryIdText } from './category.ts';

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
