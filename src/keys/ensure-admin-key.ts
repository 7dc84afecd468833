import type { Clock } from '../kernel/clock.ts';
import { SCOPES } from '../kernel/contract.ts';
import type { EventLog } from '../kernel/event.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import type { StoreStore } from '../stores/stores.store.ts';
import { toKeyBody } from './key.body.ts';
import { ADMIN_LIMITS, type Key } from './key.ts';
import type { KeyStore } from './keys.store.ts';
import { type Environment, hashSecret, makeSecret, recognise } from './secret.ts';

type Stores = { keys: KeyStore; stores: StoreStore; events: EventLog; now: Clock };
type Wanted = { configured: string | undefined; environment: Environment; randomText: RandomText };

/**
 * Runs at every start, in one transaction. A configured admin key replaces the one before; without one, the first start
 * makes a key, and its secret is returned to be shown, this once.
 */
export const ensureAdminKey = async (stores: Stores, wanted: Wanted): Promise<{ made?: string; takenBy?: string }> => {
  const { configured, environment, randomText } = wanted;
  const existing = await stores.keys.findAdmin();

  if (!existing) {
    const secret = configured ?? makeSecret(environment, randomText);
    const key: Key = {
      id: `key_${randomText(24)}`,
      name: 'admin',
      plan: 'enterprise',
      limits: ADMIN_LIMITS,
      scopes: SCOPES,
      storeId: FIRST_STORE,
      ...recognise(secret),
      admin: true,
      createdAt: stores.now(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    };
    await stores.stores.open(key.storeId);
    await stores.keys.insert(key, hashSecret(secret));
    await stores.events.append({ type: 'key.created', object: toKeyBody(key) });
    return configured === undefined ? { made: secret } : {};
  }

  if (configured === undefined) return {};
  const hash = hashSecret(configured);
  const holder = await stores.keys.findBySecret(hash, stores.now());
  if (holder?.id === existing.id) return {};
  if (holder) return { takenBy: holder.id };
  const replaced: Key = { ...existing, ...recognise(configured) };
  await stores.keys.replaceSecret(replaced, hash, stores.now());
  await stores.events.append({ type: 'key.rotated', object: toKeyBody(replaced) });
  return {};
};
