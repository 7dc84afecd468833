import { writes } from '../../kernel/operation.ts';
import type { BanDeps, KeyRepositories } from './create-key.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, refuseAdmin } from './key.ts';
import { revokeKeyContract } from './keys.contracts.ts';
import { lockKey } from './keys.repository.ts';

export const revokeKey = writes(
  revokeKeyContract,
  async (repositories: KeyRepositories, { path }, _, { limiter }: BanDeps) => {
    const key = await lockKey(repositories.keys, path.keyId);
    refuseAdmin(key);
    if (key.revokedAt !== null) return {};
    const revoked: Key = { ...key, revokedAt: repositories.now() };
    await repositories.keys.update(revoked);
    const object = toKeyBody(revoked, limiter.bannedUntil(key.id));
    const previous = { revokedAt: null };
    await repositories.events.append({ type: 'key.revoked', object, previous, storeId: key.storeId });
    return {};
  },
);
