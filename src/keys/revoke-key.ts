import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, refuseAdmin } from './key.ts';
import { type KeyStore, lockKey } from './keys.store.ts';
import { revokeKeyContract } from './revoke-key.contract.ts';

type Stores = { keys: KeyStore; events: EventLog; now: Clock };

export const revokeKey = writes(revokeKeyContract, async (stores: Stores, { path }) => {
  const key = await lockKey(stores.keys, path.keyId);
  refuseAdmin(key);
  if (key.revokedAt !== null) return {};
  const revoked: Key = { ...key, revokedAt: stores.now() };
  await stores.keys.update(revoked);
  const change = { object: toKeyBody(revoked), previous: { revokedAt: null }, storeId: key.storeId };
  await stores.events.append({ type: 'key.revoked', ...change });
  return {};
});
