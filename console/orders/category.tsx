import type { Pet } from '../../client/src/index.ts';
import { useCategories } from '../categories/categories.tsx';
import { categoryName } from '../categories/category.ts';
import { isolated } from '../kit/text.ts';

/** A component, so that keys that cannot read pets do not ask for categories either. */
export const PetCategory = ({ pet: { categoryId } }: { pet: Pet }) => (
  <> · {isolated(categoryName(useCategories(), categoryId))}</>
);
