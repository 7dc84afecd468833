import { reads } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import type { Bans, Limiter } from '../../limits/limiter.ts';
import { keySubject } from '../../limits/window.ts';
import { findKey, type KeyReads } from '../keys/keys.repository.ts';
import { petLimitOf } from '../pets/pet.ts';
import type { StoreReads } from '../stores/stores.repository.ts';
import { hourOf, type UsageCounter } from './counter.ts';
import { getKeyUsageContract, getUsageContract } from './usage.contracts.ts';
import type { UsageReads } from './usage.repository.ts';
import { toUsageBody, USAGE_KEPT_MS } from './usage.ts';

type Deps = { limiter: Limiter & Bans; counter: UsageCounter; maxPets?: number | undefined };
type Repositories = { keys: KeyReads; usage: UsageReads; stores: StoreReads; now: Clock };

const showUsage = async (repositories: Repositories, { limiter, counter, maxPets }: Deps, keyId: string) => {
  const key = await findKey(repositories.keys, keyId);
  const { windows } = await limiter.peek(keySubject({ keyId, limits: key.limits }));
  const bannedUntil = limiter.bannedUntil(keyId);
  const { stored, pending } = await counter.readBetweenFlushes(() =>
    repositories.usage.hoursOf(keyId, hourOf(repositories.now()) - USAGE_KEPT_MS),
  );
  const limit = petLimitOf({ petLimit: key.limits.pets, maxPets });
  const pets = { limit, used: Number(await repositories.stores.countPets(key.storeId)) };
  const counts = [...stored, ...(pending.get(keyId)?.hours ?? [])];
  return { body: toUsageBody(keyId, { windows, bannedUntil, pets, counts }) };
};

export const getUsage = reads(getUsageContract, (repositories: Repositories, _, { keyId }, deps: Deps) =>
  showUsage(repositories, deps, keyId ?? ''),
);

export const getKeyUsage = reads(getKeyUsageContract, (repositories: Repositories, { path }, _, deps: Deps) =>
  showUsage(repositories, deps, path.keyId),
);
