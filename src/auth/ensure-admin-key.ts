import type { Clock } from '../kernel/clock.ts';
import { type Environment, SCOPES } from '../kernel/contract.ts';
import type { EventLog } from '../kernel/event.ts';
import type { RandomText } from '../kernel/ids.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import { issueKey, reissueKey } from '../resources/keys/issue-key.ts';
import { ADMIN_LIMITS } from '../resources/keys/key.ts';
import type { KeyRepository } from '../resources/keys/keys.repository.ts';
import { hashSecret, makeSecret } from '../resources/keys/secret.ts';
import type { StoreRepository } from '../resources/stores/stores.repository.ts';

type Repositories = { keys: KeyRepository; stores: StoreRepository; events: EventLog; now: Clock };
type Wanted = { configured: string | undefined; environment: Environment; randomText: RandomText };

/**
 * Runs at every start, in one transaction. A configured admin key replaces the one before; without one, the first start
 * makes a key, and its secret is returned to be shown, this once.
 */
export const ensureAdminKey = async (
  repositories: Repositories,
  wanted: Wanted,
): Promise<{ made?: string; takenBy?: string }> => {
  const { configured, environment, randomText } = wanted;
  // Of several instances that start together one opens the store, and the others see what it did.
  await repositories.stores.open(FIRST_STORE);
  const existing = await repositories.keys.lockAdmin();

  if (!existing) {
    const secret = configured ?? makeSecret(environment, randomText);
    await issueKey(
      repositories,
      {
        id: `key_${randomText(24)}`,
        name: 'admin',
        plan: 'enterprise',
        limits: ADMIN_LIMITS,
        scopes: SCOPES,
        storeId: FIRST_STORE,
        admin: true,
        expiresAt: null,
      },
      secret,
    );
    return configured === undefined ? { made: secret } : {};
  }

  if (configured === undefined) return {};
  const hash = hashSecret(configured);
  const opened = await repositories.keys.findBySecret(hash, repositories.now());
  if (opened?.key.id === existing.id) return {};
  // A secret whose grace has ended is kept, and still belongs to its key.
  const holder = opened ?? (await repositories.keys.findBySecret(hash, 0));
  if (holder && holder.key.id !== existing.id) return { takenBy: holder.key.id };
  await reissueKey(repositories, existing, { secret: configured, graceMs: 0, bannedUntil: undefined });
  return {};
};
