import { createCategory } from './create-category.ts';
import { deleteCategory } from './delete-category.ts';
import { getCategory } from './get-category.ts';
import { listCategories } from './list-categories.ts';
import { updateCategory } from './update-category.ts';

export const categoryOperations = [listCategories, createCategory, getCategory, updateCategory, deleteCategory];
