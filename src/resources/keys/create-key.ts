import type { Environment } from '../../kernel/contract.ts';
import type { RandomText } from '../../kernel/ids.ts';
import { type EventLog, FIRST_STORE, writes } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import type { Bans } from '../../limits/limiter.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, limitsOf, refusePast } from './key.ts';
import { createKeyContract } from './keys.contracts.ts';
import type { KeyRepository } from './keys.repository.ts';
import { hashSecret, makeSecret, recognise } from './secret.ts';

export type KeyRepositories = { keys: KeyRepository; events: EventLog; now: Clock };
export type BanDeps = { limiter: Pick<Bans, 'bannedUntil' | 'readBan'> };
export type SecretDeps = { environment: Environment; randomText: RandomText };

type Repositories = KeyRepositories & {
  stores: StoreRepository;
  seedStore(storeId: bigint, keyId: string): Promise<void>;
};

type NewKey = Omit<Key, 'prefix' | 'last4' | 'createdAt' | 'lastUsedAt' | 'revokedAt'>;

export const issueKey = async ({ keys, events, now }: KeyRepositories, given: NewKey, secret: string) => {
  const key: Key = { ...given, ...recognise(secret), createdAt: now(), lastUsedAt: null, revokedAt: null };
  await keys.insert(key, hashSecret(secret));
  const object = toKeyBody(key, undefined);
  await events.append({ type: 'key.created', object, storeId: key.storeId });
  return object;
};

const openStore = async (
  { stores, seedStore }: Repositories,
  environment: Environment,
  named: bigint | undefined,
  keyId: string,
): Promise<bigint> => {
  const id = named ?? (environment === 'production' ? FIRST_STORE : await stores.openNext());
  const isNew = named === undefined || (await stores.open(named));
  if (isNew && environment === 'staging') await seedStore(id, keyId);
  return id;
};

export const createKey = writes(
  createKeyContract,
  async (repositories: Repositories, { body }, _, deps: SecretDeps) => {
    const { name, plan, scopes, expiresAt = null } = body;
    refusePast(expiresAt, repositories.now());
    const id = `key_${deps.randomText(24)}`;
    const secret = makeSecret(deps.environment, deps.randomText);
    const limits = limitsOf(plan, body.limits);
    const storeId = await openStore(repositories, deps.environment, body.storeId, id);
    const key = { id, name, plan, limits, scopes, storeId, admin: false, expiresAt };
    const shown = await issueKey(repositories, key, secret);
    return { body: { ...shown, key: secret }, location: `/keys/${id}` };
  },
);
