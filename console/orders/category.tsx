import type { Pet } from '../../client/src/index.ts';
import { useCategories } from '../categories/categories.tsx';
import { categoryName } from '../categories/category.ts';
import { isolated } from '../kit/text.ts';

/** This is a separate component, because the console must not request the categories if the key cannot read pets. */
export const PetCategory = ({ pet: { categoryId } }: { pet: Pet }) => (
  <> · {isolated(categoryName(useCategories(), categoryId))}</>
);
