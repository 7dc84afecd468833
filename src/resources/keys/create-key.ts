import type { Clock } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/contract.ts';
import type { EventLog } from '../../kernel/event.ts';
import type { RandomText } from '../../kernel/ids.ts';
import { FIRST_STORE, writes } from '../../kernel/operation.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import { createKeyContract } from './create-key.contract.ts';
import { issueKey } from './issue-key.ts';
import { limitsOf, refusePast } from './key.ts';
import type { KeyRepository } from './keys.repository.ts';
import { makeSecret } from './secret.ts';

type Repositories = {
  keys: KeyRepository;
  stores: StoreRepository;
  events: EventLog;
  now: Clock;
  /** Puts into a store what a new sandbox has. */
  seedStore(storeId: bigint, keyId: string): Promise<void>;
};
type Deps = { environment: Environment; randomText: RandomText };

/** In production all keys share store 1 unless they are told otherwise; on staging each has one to itself, with samples. */
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
  async (repositories: Repositories, { body }, _, { environment, randomText }: Deps) => {
    refusePast(body.expiresAt, repositories.now());
    const id = `key_${randomText(24)}`;
    const secret = makeSecret(environment, randomText);
    const shown = await issueKey(
      repositories,
      {
        id,
        name: body.name,
        plan: body.plan,
        limits: limitsOf(body.plan, body.limits),
        scopes: body.scopes,
        storeId: await openStore(repositories, environment, body.storeId, id),
        admin: false,
        expiresAt: body.expiresAt ?? null,
      },
      secret,
    );
    return { body: { ...shown, key: secret }, location: `/keys/${id}` };
  },
);
