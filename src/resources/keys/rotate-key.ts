import type { Clock } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/contract.ts';
import type { EventLog } from '../../kernel/event.ts';
import type { RandomText } from '../../kernel/ids.ts';
import { writes } from '../../kernel/operation.ts';
import type { Bans } from '../../limits/limiter.ts';
import { reissueKey } from './issue-key.ts';
import { refuseUnchangeable } from './key.ts';
import { type KeyRepository, lockKey } from './keys.repository.ts';
import { rotateKeyContract } from './rotate-key.contract.ts';
import { makeSecret } from './secret.ts';

type Repositories = { keys: KeyRepository; events: EventLog; now: Clock };
type Deps = { environment: Environment; randomText: RandomText; limiter: Pick<Bans, 'bannedUntil'> };

export const rotateKey = writes(
  rotateKeyContract,
  async (repositories: Repositories, { path, body }, _, deps: Deps) => {
    const key = await lockKey(repositories.keys, path.keyId);
    refuseUnchangeable(key);
    const secret = makeSecret(deps.environment, deps.randomText);
    const bannedUntil = deps.limiter.bannedUntil(key.id);
    const shown = await reissueKey(repositories, key, { secret, graceMs: body.graceSeconds * 1000, bannedUntil });
    return { body: { ...shown, key: secret } };
  },
);
