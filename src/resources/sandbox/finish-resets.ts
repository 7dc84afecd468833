import { Failure } from '../../kernel/failure.ts';
import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import type { CategoryRepository } from '../categories/categories.repository.ts';
import { toPetBody } from '../pets/pet.ts';
import type { Reset, StoreReads, StoreRepository } from '../stores/stores.repository.ts';
import { type SeedRepositories, seedStore } from './seed-store.ts';

type Repositories = SeedRepositories & {
  categories: CategoryRepository;
  stores: StoreRepository;
  seedHistory(storeId: bigint, keyId: string): Promise<void>;
};

type Deps = {
  now: Clock;
  stores: Pick<StoreReads, 'findReset' | 'listAbandonedResets'>;
  write(call: Call, body: (repositories: Repositories) => Promise<void>): Promise<void>;
  isStopped(): boolean;
  elapsed(): number;
  pause(ms: number): Promise<void>;
};

/** If a reset makes no progress for this long, the process that was running it must have stopped. */
const ABANDONED_MS = 5000;
const FOUND_PER_RUN = 10;
/** Pause after each transaction, as a multiple of its duration. Without pauses, the OS may throttle the process. */
const RESTS = 3;
/** Requests wait while a transaction runs, so each transaction must be short. */
const REMOVED_PER_TRANSACTION = 100;

/** Removes orders before pets, so that no open order loses its pet. */
const resetSome = async (repositories: Repositories, { storeId, keyId }: Reset): Promise<void> => {
  const { stores, orders, pets, categories, events } = repositories;
  // Another instance may already have finished the reset.
  if (!(await stores.continueReset(storeId))) return;
  let left = REMOVED_PER_TRANSACTION - (await orders.removeSome(REMOVED_PER_TRANSACTION));
  if (left > 0) {
    const removed = await pets.removeSome(left);
    await events.appendMany(removed.map((pet) => ({ type: 'pet.deleted', object: toPetBody(pet), petId: pet.id })));
    left -= removed.length;
  }
  if (left > 0) left -= await categories.removeSome(left);
  if (left === 0) return;
  await stores.addFirstCategories(storeId);
  // Only a demo's store is reset without a key.
  await (keyId === null ? repositories.seedHistory(storeId, '') : seedStore(repositories, keyId));
  await stores.endReset(storeId);
};

export const createResets = ({ now, stores, write, isStopped, elapsed, pause }: Deps) => {
  const underWay = new Map<bigint, Promise<void>>();

  const run = async (storeId: bigint): Promise<void> => {
    for (let reset = await stores.findReset(storeId); reset; reset = await stores.findReset(storeId)) {
      if (isStopped()) {
        throw new Failure(
          'unavailable',
          'The service is stopping. The reset will finish by itself when the service starts again. You do not need to send the request again.',
          { retryAfterSeconds: 1 },
        );
      }
      const current = reset;
      const startedAt = elapsed();
      await write({ ...SYSTEM_CALL, ...current }, (repositories) => resetSome(repositories, current));
      await pause(RESTS * (elapsed() - startedAt));
    }
  };

  const finish = async (storeId: bigint): Promise<void> => {
    const before = underWay.get(storeId) ?? Promise.resolve();
    const ended = before.catch(() => undefined).then(() => run(storeId));
    underWay.set(storeId, ended);
    try {
      await ended;
    } finally {
      if (underWay.get(storeId) === ended) underWay.delete(storeId);
    }
  };

  return {
    finish,
    async finishAbandoned(): Promise<void> {
      const left = await stores.listAbandonedResets(now() - ABANDONED_MS, FOUND_PER_RUN);
      for (const { storeId } of left) if (!isStopped()) await finish(storeId);
    },
  };
};

export type Resets = ReturnType<typeof createResets>;
