import type { Clock } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event.ts';
import { writes } from '../../kernel/operation.ts';
import type { Bans } from '../../limits/limiter.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, refuseAdmin } from './key.ts';
import { revokeKeyContract } from './keys.contracts.ts';
import { type KeyRepository, lockKey } from './keys.repository.ts';

type Repositories = { keys: KeyRepository; events: EventLog; now: Clock };
type Deps = { limiter: Pick<Bans, 'bannedUntil'> };

export const revokeKey = writes(
  revokeKeyContract,
  async (repositories: Repositories, { path }, _, { limiter }: Deps) => {
    const key = await lockKey(repositories.keys, path.keyId);
    refuseAdmin(key);
    if (key.revokedAt !== null) return {};
    const revoked: Key = { ...key, revokedAt: repositories.now() };
    await repositories.keys.update(revoked);
    const object = toKeyBody(revoked, limiter.bannedUntil(key.id));
    const change = { object, previous: { revokedAt: null }, storeId: key.storeId };
    await repositories.events.append({ type: 'key.revoked', ...change });
    return {};
  },
);
