import { writes } from '../../kernel/operation.ts';
import type { LimitRepository } from '../../limits/limits.repository.ts';
import type { BanDeps, KeyRepositories } from './create-key.ts';
import { toKeyBody } from './key.body.ts';
import { unbanKeyContract } from './keys.contracts.ts';
import { lockKey } from './keys.repository.ts';

export const unbanKey = writes(
  unbanKeyContract,
  async (repositories: KeyRepositories & { limits: LimitRepository }, { path }) => {
    const key = await lockKey(repositories.keys, path.keyId);
    const object = toKeyBody(key, undefined);
    const now = repositories.now();
    const ban = await repositories.limits.findBan(key.id, now);
    if (!ban || ban.until <= now) return { body: object };
    await repositories.limits.liftBan(key.id, now);
    // This update leaves the key unchanged, but it notifies other instances that the ban has ended.
    await repositories.keys.update(key);
    const previous = { bannedUntil: toKeyBody(key, ban.until).bannedUntil };
    await repositories.events.append({ type: 'key.unbanned', object, previous, storeId: key.storeId });
    return { body: object };
  },
  (_, { limiter }: BanDeps, { path }) => limiter.readBan(path.keyId),
);
