import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, refuseUnchangeable } from './key.ts';
import { findKey, type KeyStore } from './keys.store.ts';
import { rotateKeyContract } from './rotate-key.contract.ts';
import { type Environment, hashSecret, makeSecret, recognise } from './secret.ts';

type Stores = { keys: KeyStore; events: EventLog; now: Clock };

export const rotateKey = ({ environment, randomText }: { environment: Environment; randomText: RandomText }) =>
  writes(rotateKeyContract, async (stores: Stores, { path, body }) => {
    const key = await findKey(stores.keys, path.keyId);
    refuseUnchangeable(key);
    const secret = makeSecret(environment, randomText);
    const rotated: Key = { ...key, ...recognise(secret) };
    await stores.keys.replaceSecret(rotated, hashSecret(secret), stores.now() + body.graceSeconds * 1000);

    const shown = toKeyBody(rotated);
    const change = { object: shown, previous: { last4: key.last4 }, storeId: key.storeId };
    await stores.events.append({ type: 'key.rotated', ...change });
    return { body: { ...shown, key: secret } };
  });
