import type { Pet } from '../../client/src/index.ts';
import { useCategories } from '../categories/categories.tsx';
import { categoryName } from '../categories/category.ts';
import { isolated } from '../kit/text.ts';

/** A separate component, because keys that cannot read pets must not request the categories. */
export const PetCategory = ({ pet: { categoryId } }: { pet: Pet }) => (
  <> · {isolated(categoryName(useCategories(), categoryId))}</>
);
