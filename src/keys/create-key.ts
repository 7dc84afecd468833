import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { Failure } from '../kernel/failure.ts';
import { writes } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import type { StoreStore } from '../stores/stores.store.ts';
import { createKeyContract } from './create-key.contract.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, limitsOf } from './key.ts';
import type { KeyStore } from './keys.store.ts';
import { type Environment, hashSecret, makeSecret, recognise } from './secret.ts';

type Stores = { keys: KeyStore; stores: StoreStore; events: EventLog; now: Clock };

export const createKey = ({ environment, randomText }: { environment: Environment; randomText: RandomText }) =>
  writes(createKeyContract, async (stores: Stores, { body }) => {
    const now = stores.now();
    if (body.expiresAt != null && body.expiresAt <= now) {
      throw new Failure('invalid_request', 'expiresAt: must be in the future');
    }
    const secret = makeSecret(environment, randomText);
    const key: Key = {
      id: `key_${randomText(24)}`,
      name: body.name,
      plan: body.plan,
      limits: limitsOf(body.plan, body.limits),
      scopes: body.scopes,
      storeId: body.storeId ?? 1n,
      ...recognise(secret),
      admin: false,
      createdAt: now,
      expiresAt: body.expiresAt ?? null,
      lastUsedAt: null,
      revokedAt: null,
    };
    await stores.stores.open(key.storeId);
    await stores.keys.insert(key, hashSecret(secret));

    const shown = toKeyBody(key);
    await stores.events.append({ type: 'key.created', object: shown, storeId: key.storeId });
    return { body: { ...shown, key: secret } };
  });
