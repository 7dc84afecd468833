import { type Environment, SCOPES } from '../kernel/contract.ts';
import type { RandomText } from '../kernel/ids.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import { issueKey, type KeyRepositories } from '../resources/keys/create-key.ts';
import { ADMIN_LIMITS, type Key } from '../resources/keys/key.ts';
import { reissueKey } from '../resources/keys/rotate-key.ts';
import { hashSecret, makeSecret } from '../resources/keys/secret.ts';
import type { StoreRepository } from '../resources/stores/stores.repository.ts';

type Wanted = { configured: string | undefined; environment: Environment; randomText: RandomText };

export const ensureAdminKey = async (
  repositories: KeyRepositories & { stores: StoreRepository },
  { configured, environment, randomText }: Wanted,
): Promise<{ isNew?: true; made?: string; takenBy?: string }> => {
  const { keys, stores, now } = repositories;
  const hash = configured === undefined ? undefined : hashSecret(configured);
  const isReady = async (admin: Key): Promise<boolean> =>
    hash === undefined || (await keys.findBySecret(hash, now()))?.key.id === admin.id;
  const found = await keys.findAdmin();
  if (found && (await isReady(found))) return {};
  await stores.open(FIRST_STORE);
  const existing = await keys.lockAdmin();

  if (!existing) {
    const secret = configured ?? makeSecret(environment, randomText);
    const id = `key_${randomText(24)}`;
    const rights = { plan: 'enterprise', limits: ADMIN_LIMITS, scopes: SCOPES, storeId: FIRST_STORE } as const;
    await issueKey(repositories, { id, name: 'admin', ...rights, admin: true, expiresAt: null }, secret);
    return { isNew: true, ...(configured === undefined ? { made: secret } : {}) };
  }

  if (configured === undefined || hash === undefined || (await isReady(existing))) return {};
  // The configured secret may be an old secret of another key, and may have expired. The search uses time 0 as the
  // current time, so that it also finds expired secrets.
  const holder = await keys.findBySecret(hash, 0);
  if (holder && holder.key.id !== existing.id) return { takenBy: holder.key.id };
  await reissueKey(repositories, existing, { secret: configured, graceMs: 0, bannedUntil: undefined });
  return {};
};
