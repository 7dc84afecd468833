import type { Pet } from '../../client/src/index.ts';
import { isolated } from '../kit/text.ts';
import { useCategories } from '../pets/categories.tsx';
import { categoryName } from '../pets/category.ts';

/** A component, so that keys that cannot read pets do not ask for categories either. */
export const PetCategory = ({ pet: { categoryId } }: { pet: Pet }) => (
  <> · {isolated(categoryName(useCategories(), categoryId))}</>
);
