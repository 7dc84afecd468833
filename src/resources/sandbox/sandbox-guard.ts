import { CATALOGUE_SCOPES, type Contract } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Call } from '../../kernel/operation.ts';
import { formatCount } from '../../kernel/schema.ts';
import type { EventRepository } from '../events/events.repository.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';

/** Maximum number of pets: enough to test any client, and few enough to be reset in about a minute. */
export const MAX_SANDBOX_PETS = 100_000;

/** Rate limits alone would allow too many events, because one reset can write 100,000 events. */
export const MAX_SANDBOX_EVENTS = 1_000_000;

type Repositories = { stores: Pick<StoreRepository, 'isResetting'>; events: Pick<EventRepository, 'count'> };

export const sandboxGuard = ({ method, scope, environment }: Contract, maxEvents: number) => {
  if (method === 'GET' || !CATALOGUE_SCOPES.includes(scope)) return undefined;
  // Operations that exist only in staging, such as the reset itself, are allowed during a reset.
  const waitsForReset = environment === undefined;
  return async ({ stores, events }: Repositories, { storeId }: Pick<Call, 'storeId'>): Promise<void> => {
    if (waitsForReset && (await stores.isResetting(storeId))) {
      throw new Failure('unavailable', 'The store is being reset. Retry in a moment.', { retryAfterSeconds: 1 });
    }
    if ((await events.count()) < maxEvents) return;
    throw new Failure(
      'store_full',
      `The sandbox has reached its limit of ${formatCount(maxEvents)} events, so it cannot be changed or reset until the service deletes old events. ` +
        'If you cannot wait, ask the operator for a key with a new sandbox.',
    );
  };
};
