import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import type { CategoryStore } from './categories.store.ts';
import { toCategoryBody } from './category.ts';
import { createCategoryContract } from './create-category.contract.ts';

/** Below it are the numbers that people choose themselves. */
const FIRST_NUMBER = 1000n;

type Stores = { categories: CategoryStore; events: EventLog };

export const createCategory = writes(createCategoryContract, async (stores: Stores, { body }) => {
  const category = await stores.categories.insert(body.name, FIRST_NUMBER);
  const shown = toCategoryBody(category);
  await stores.events.append({ type: 'category.created', object: shown });
  return { body: shown, location: `/categories/${category.id}` };
});
