import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { Failure } from '../kernel/failure.ts';
import { FIRST_STORE, writes } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import type { StoreStore } from '../stores/stores.store.ts';
import { createKeyContract } from './create-key.contract.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, limitsOf } from './key.ts';
import type { KeyStore } from './keys.store.ts';
import { type Environment, hashSecret, makeSecret, recognise } from './secret.ts';

type Stores<Catalogue> = {
  keys: KeyStore;
  stores: StoreStore;
  events: EventLog;
  now: Clock;
  catalogueOf(storeId: bigint): Catalogue;
};

type Deps<Catalogue> = {
  environment: Environment;
  randomText: RandomText;
  /** What a store has in it when it is opened for a key. */
  furnish(catalogue: Catalogue, keyId: string): Promise<void>;
};

export const createKey = <Catalogue>({ environment, randomText, furnish }: Deps<Catalogue>) => {
  /** In production all keys share store 1 unless they are told otherwise; on staging each has one to itself. */
  const openStore = async ({ stores, catalogueOf }: Stores<Catalogue>, named: bigint | undefined, keyId: string) => {
    const id = named ?? (environment === 'production' ? FIRST_STORE : await stores.openNext());
    const isNew = named === undefined ? environment === 'staging' : await stores.open(named);
    if (isNew) await furnish(catalogueOf(id), keyId);
    return id;
  };

  return writes(createKeyContract, async (stores: Stores<Catalogue>, { body }) => {
    const now = stores.now();
    if (body.expiresAt != null && body.expiresAt <= now) {
      throw new Failure('invalid_request', 'expiresAt: must be in the future');
    }
    const secret = makeSecret(environment, randomText);
    const id = `key_${randomText(24)}`;
    const key: Key = {
      id,
      name: body.name,
      plan: body.plan,
      limits: limitsOf(body.plan, body.limits),
      scopes: body.scopes,
      storeId: await openStore(stores, body.storeId, id),
      ...recognise(secret),
      admin: false,
      createdAt: now,
      expiresAt: body.expiresAt ?? null,
      lastUsedAt: null,
      revokedAt: null,
    };
    await stores.keys.insert(key, hashSecret(secret));

    const shown = toKeyBody(key);
    await stores.events.append({ type: 'key.created', object: shown, storeId: key.storeId });
    return { body: { ...shown, key: secret } };
  });
};
