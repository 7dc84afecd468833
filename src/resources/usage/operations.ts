import { reads } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import type { Bans, Limiter } from '../../limits/limiter.ts';
import { keySubject } from '../../limits/window.ts';
import { findKey, type KeyReads } from '../keys/keys.repository.ts';
import { petLimitOf } from '../pets/pet.ts';
import type { StoreReads } from '../stores/stores.repository.ts';
import { hourOf, type UsageCounter } from './counter.ts';
import { listDeprecations } from './list-deprecations.ts';
import {
  getKeyRequestsContract,
  getKeyUsageContract,
  getRequestsContract,
  getUsageContract,
} from './usage.contracts.ts';
import type { UsageReads } from './usage.repository.ts';
import { toRecentRequestsBody, toUsageBody, USAGE_KEPT_MS } from './usage.ts';

type Deps = {
  limiter: Limiter & Bans;
  counter: UsageCounter;
  maxPets?: number | undefined;
  mask(text: string): string;
};
type Repositories = { keys: KeyReads; usage: UsageReads; stores: StoreReads; now: Clock };

const showUsage = async (repositories: Repositories, { limiter, counter, maxPets }: Deps, keyId: string) => {
  const key = await findKey(repositories.keys, keyId);
  const { windows } = await limiter.peek(keySubject({ keyId, limits: key.limits }));
  const { stored, pending } = await counter.readBetweenFlushes(() =>
    repositories.usage.hoursOf(keyId, hourOf(repositories.now()) - USAGE_KEPT_MS),
  );
  const limit = petLimitOf({ petLimit: key.limits.pets, maxPets });
  const pets = { limit, used: Number(await repositories.stores.countPets(key.storeId)) };
  const counts = [...stored, ...(pending.get(keyId)?.hours ?? [])];
  return { body: toUsageBody(keyId, { windows, bannedUntil: limiter.bannedUntil(keyId), pets, counts }) };
};

const getUsage = reads(getUsageContract, (repositories: Repositories, _, { keyId }, deps: Deps) =>
  showUsage(repositories, deps, keyId ?? ''),
);

const getKeyUsage = reads(getKeyUsageContract, (repositories: Repositories, { path }, _, deps: Deps) =>
  showUsage(repositories, deps, path.keyId),
);

const showRequests = ({ now }: Repositories, { counter, mask }: Deps, keyId: string) => ({
  body: toRecentRequestsBody(keyId, counter.recentOf(keyId), { now: now(), mask }),
});

const getRequests = reads(getRequestsContract, (repositories: Repositories, _, { keyId }, deps: Deps) =>
  showRequests(repositories, deps, keyId ?? ''),
);

const getKeyRequests = reads(getKeyRequestsContract, async (repositories: Repositories, { path }, _, deps: Deps) => {
  const { id } = await findKey(repositories.keys, path.keyId);
  return showRequests(repositories, deps, id);
});

export const usageOperations = [getUsage, getRequests, getKeyUsage, getKeyRequests, listDeprecations];
