import { CATALOGUE_SCOPES, type Contract } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';
import { spellCount } from '../../kernel/int64.ts';
import type { Call } from '../../kernel/operation.ts';
import type { EventRepository } from '../events/events.repository.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';

/** Maximum pets of a sandbox: enough to try any client, few enough to reset within one request. */
export const MOST_SANDBOX_PETS = 100_000;

/** Maximum events of a sandbox. A reset writes up to 100,000 for one request, so requests alone do not bound them. */
export const MOST_SANDBOX_EVENTS = 1_000_000;

type Repositories = { stores: Pick<StoreRepository, 'isResetting'>; events: Pick<EventRepository, 'count'> };

/** Refuses changes of a sandbox while it is reset, and once it keeps `mostEvents` events; undefined for other operations. */
export const sandboxGuard = ({ method, scope, environment }: Contract, mostEvents: number) => {
  if (method === 'GET' || !CATALOGUE_SCOPES.has(scope)) return undefined;
  // Operations of staging alone, such as the reset itself, run during a reset.
  const waitsForReset = environment === undefined;
  return async ({ stores, events }: Repositories, { storeId }: Pick<Call, 'storeId'>): Promise<void> => {
    if (waitsForReset && (await stores.isResetting(storeId))) {
      throw new Failure('unavailable', 'The store is being reset. Try again in a moment.', { retryAfterSeconds: 1 });
    }
    if ((await events.count()) < mostEvents) return;
    throw new Failure(
      'store_full',
      `The sandbox keeps ${spellCount(mostEvents)} events, its limit. Wait until events expire, or ask the operator for a new sandbox.`,
    );
  };
};
