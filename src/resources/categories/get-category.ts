import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { getCategoryContract } from './categories.contracts.ts';
import type { CategoryReads } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';

export const getCategory = reads(
  getCategoryContract,
  async ({ categories }: { categories: CategoryReads }, { path: { categoryId } }) => ({
    body: toCategoryBody(orNotFound(await categories.find(categoryId), 'category', categoryId)),
  }),
);
