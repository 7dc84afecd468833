import type { Clock } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import type { EventLog } from '../kernel/event.ts';
import { FIRST_STORE, writes } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import { createKeyContract } from './create-key.contract.ts';
import { issueKey } from './issue-key.ts';
import { limitsOf, refusePast } from './key.ts';
import type { KeyRepository } from './keys.repository.ts';
import { makeSecret } from './secret.ts';

type Repositories<Catalogue> = {
  keys: KeyRepository;
  stores: StoreRepository;
  events: EventLog;
  now: Clock;
  catalogueOf(storeId: bigint): Catalogue;
};

type Deps<Catalogue> = {
  environment: Environment;
  randomText: RandomText;
  /** What a store has in it when it is opened for a key. */
  seedStore(catalogue: Catalogue, keyId: string): Promise<void>;
};

export const createKey = <Catalogue>({ environment, randomText, seedStore }: Deps<Catalogue>) => {
  /** In production all keys share store 1 unless they are told otherwise; on staging each has one to itself. */
  const openStore = async (
    { stores, catalogueOf }: Repositories<Catalogue>,
    named: bigint | undefined,
    keyId: string,
  ) => {
    const id = named ?? (environment === 'production' ? FIRST_STORE : await stores.openNext());
    const isNew = named === undefined ? environment === 'staging' : await stores.open(named);
    if (isNew) await seedStore(catalogueOf(id), keyId);
    return id;
  };

  return writes(createKeyContract, async (repositories: Repositories<Catalogue>, { body }) => {
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
        storeId: await openStore(repositories, body.storeId, id),
        admin: false,
        expiresAt: body.expiresAt ?? null,
      },
      secret,
    );
    return { body: { ...shown, key: secret }, location: `/keys/${id}` };
  });
};
