import type { Pet } from '../../client/src/index.ts';
import { useCategories } from '../categories/categories.tsx';
import { categoryName } from '../categories/category.ts';
import { isolated } from '../kit/text.ts';

/** This is a component, so that the console requests no categories for keys that cannot read pets. */
export const PetCategory = ({ pet: { categoryId } }: { pet: Pet }) => (
  <> · {isolated(categoryName(useCategories(), categoryId))}</>
);
