import type { Clock } from '../kernel/clock.ts';
import { reads } from '../kernel/operation.ts';
import { findKey, type KeyReads } from '../keys/keys.store.ts';
import type { Limiter } from '../limits/limiter.ts';
import { keySubject } from '../limits/policy.ts';
import type { UsageCounter } from './counter.ts';
import { getKeyUsageContract } from './get-key-usage.contract.ts';
import { getUsageContract } from './get-usage.contract.ts';
import type { UsageReads } from './usage.store.ts';
import { hourOf, KEPT_MS, toUsageBody } from './usage.ts';

type Deps = { limiter: Limiter; counter: UsageCounter };
type Stores = { keys: KeyReads; usage: UsageReads; now: Clock };

const showUsage = async (stores: Stores, { limiter, counter }: Deps, keyId: string) => {
  const key = await findKey(stores.keys, keyId);
  const standing = await limiter.look(keySubject({ keyId, limits: key.limits }));
  const stored = await counter.settled(() => stores.usage.hoursOf(keyId, hourOf(stores.now()) - KEPT_MS));
  return { body: toUsageBody(keyId, standing, [...stored, ...(counter.pending(keyId)?.hours ?? [])]) };
};

export const getUsage = (deps: Deps) =>
  reads(getUsageContract, (stores: Stores, _, { keyId }) => showUsage(stores, deps, keyId ?? ''));

export const getKeyUsage = (deps: Deps) =>
  reads(getKeyUsageContract, (stores: Stores, { path }) => showUsage(stores, deps, path.keyId));
