import { CATALOGUE_SCOPES, type Contract } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';
import { spellCount } from '../../kernel/int64.ts';
import type { Call } from '../../kernel/operation.ts';
import type { EventRepository } from '../events/events.repository.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';

/** Whether an operation changes what a reset takes away. */
const changesCatalogue = ({ scope, environment, method }: Contract): boolean =>
  method !== 'GET' && environment === undefined && CATALOGUE_SCOPES.has(scope);

/**
 * Nothing is added to a store, and nothing in it changes, between the first and the last transaction of its reset.
 * @internal
 */
export const refuseWhileReset = async (
  { stores }: { stores: StoreRepository },
  { storeId }: Pick<Call, 'storeId'>,
): Promise<void> => {
  if (await stores.isResetting(storeId)) {
    throw new Failure('unavailable', 'The store is being reset. Try again in a moment.', { retryAfterSeconds: 1 });
  }
};

/** Throws `store_full` once the sandbox keeps `most` events: each change would add to them. */
const refuseFullLog =
  (most: number) =>
  async ({ events }: { events: Pick<EventRepository, 'count'> }): Promise<void> => {
    if ((await events.count()) < most) return;
    throw new Failure(
      'store_full',
      `The sandbox keeps ${spellCount(most)} events, its limit. Wait until events expire, or ask the operator for a new sandbox.`,
    );
  };

/** What the sandbox of a caller refuses before an operation runs. */
export const sandboxGuard = (contract: Contract, mostEvents: number) => {
  if (contract.method === 'GET' || !CATALOGUE_SCOPES.has(contract.scope)) return undefined;
  const refuseFull = refuseFullLog(mostEvents);
  if (!changesCatalogue(contract)) return refuseFull;
  return async (
    repositories: { stores: StoreRepository; events: Pick<EventRepository, 'count'> },
    call: Pick<Call, 'storeId'>,
  ): Promise<void> => {
    await refuseWhileReset(repositories, call);
    await refuseFull(repositories);
  };
};
