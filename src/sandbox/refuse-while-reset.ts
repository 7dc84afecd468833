import type { Contract, Scope } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Call } from '../kernel/operation.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';

const CATALOGUE: ReadonlySet<Scope | 'any key'> = new Set<Scope>(['pets:write', 'orders:write', 'categories:write']);

/** Whether an operation changes what a reset takes away. */
export const changesCatalogue = ({ scope, environment, method }: Contract): boolean =>
  method !== 'GET' && environment === undefined && CATALOGUE.has(scope);

/** Nothing is added to a store, and nothing in it changes, between the first and the last transaction of its reset. */
export const refuseWhileReset = async (
  { stores }: { stores: StoreRepository },
  { storeId }: Pick<Call, 'storeId'>,
): Promise<void> => {
  if (await stores.isResetting(storeId)) {
    throw new Failure('unavailable', 'The store is being reset. Try again in a moment.', { retryAfterSeconds: 1 });
  }
};
