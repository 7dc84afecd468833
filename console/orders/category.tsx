import type { Pet } from '../../client/src/index.ts';
import { useCategories } from '../categories/categories.tsx';
import { categoryName } from '../categories/category.ts';
import { isolated } from '../kit/text.ts';

/** Requests the categories. It is a separate component, because keys that cannot read pets do not render it. */
export const PetCategory = ({ pet: { categoryId } }: { pet: Pet }) => (
  <> · {isolated(categoryName(useCategories(), categoryId))}</>
);
