import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import { reissueKey } from './issue-key.ts';
import { refuseUnchangeable } from './key.ts';
import { type KeyStore, lockKey } from './keys.store.ts';
import { rotateKeyContract } from './rotate-key.contract.ts';
import { type Environment, makeSecret } from './secret.ts';

type Stores = { keys: KeyStore; events: EventLog; now: Clock };

export const rotateKey = ({ environment, randomText }: { environment: Environment; randomText: RandomText }) =>
  writes(rotateKeyContract, async (stores: Stores, { path, body }) => {
    const key = await lockKey(stores.keys, path.keyId);
    refuseUnchangeable(key);
    const secret = makeSecret(environment, randomText);
    const shown = await reissueKey(stores, key, secret, body.graceSeconds * 1000);
    return { body: { ...shown, key: secret } };
  });
