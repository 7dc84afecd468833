import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import { type CategoryStore, lockCategory } from './categories.store.ts';
import { toCategoryBody } from './category.ts';
import { updateCategoryContract } from './update-category.contract.ts';

type Stores = { categories: CategoryStore; events: EventLog };

export const updateCategory = writes(updateCategoryContract, async (stores: Stores, { path, body }) => {
  const category = await lockCategory(stores.categories, path.categoryId);
  const name = body.name ?? category.name;
  const shown = toCategoryBody({ ...category, name });
  if (name !== null && name !== category.name) {
    await stores.categories.rename(category.id, name);
    await stores.events.append({ type: 'category.updated', object: shown, previous: { name: category.name } });
  }
  return { body: shown };
});
