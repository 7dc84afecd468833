import { faultyField } from '../../kernel/failure.ts';
import { changedFields, writes } from '../../kernel/operation.ts';
import type { BanDeps, KeyRepositories } from './create-key.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, limitsFault, limitsOf, refusePast, refuseUnchangeable } from './key.ts';
import { updateKeyContract } from './keys.contracts.ts';
import { lockKey } from './keys.repository.ts';

export const updateKey = writes(
  updateKeyContract,
  async (repositories: KeyRepositories, { path, body }, _, { limiter }: BanDeps) => {
    refusePast(body.expiresAt, repositories.now());
    const key = await lockKey(repositories.keys, path.keyId);
    refuseUnchangeable(key);
    const plan = body.plan ?? key.plan;
    const kept = plan === 'enterprise' && key.plan === 'enterprise' ? key.limits : undefined;
    const limits = kept ? { ...kept, ...body.limits } : body.limits;
    const fault = limitsFault(plan, limits);
    if (fault) throw faultyField('limits', fault);

    const changed: Key = {
      ...key,
      name: body.name ?? key.name,
      plan,
      limits: limitsOf(plan, limits),
      scopes: body.scopes ?? key.scopes,
      expiresAt: body.expiresAt === undefined ? key.expiresAt : body.expiresAt,
    };
    const bannedUntil = limiter.bannedUntil(key.id);
    const shown = toKeyBody(changed, bannedUntil);
    const previous = changedFields(toKeyBody(key, bannedUntil), shown);
    if (previous) {
      await repositories.keys.update(changed);
      await repositories.events.append({ type: 'key.updated', object: shown, previous, storeId: key.storeId });
    }
    return { body: shown };
  },
);
