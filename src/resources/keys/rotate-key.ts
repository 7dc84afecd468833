import { changedFields, writes } from '../../kernel/operation.ts';
import type { BanDeps, KeyRepositories, SecretDeps } from './create-key.ts';
import { toKeyBody } from './key.body.ts';
import { type Key, refuseUnchangeable } from './key.ts';
import { rotateKeyContract } from './keys.contracts.ts';
import { lockKey } from './keys.repository.ts';
import { hashSecret, makeSecret, recognise } from './secret.ts';

export const reissueKey = async (
  { keys, events, now }: KeyRepositories,
  key: Key,
  { secret, graceMs, bannedUntil }: { secret: string; graceMs: number; bannedUntil: number | undefined },
) => {
  const reissued: Key = { ...key, ...recognise(secret) };
  await keys.replaceSecret(reissued, hashSecret(secret), now() + graceMs);
  const object = toKeyBody(reissued, bannedUntil);
  const previous = changedFields(toKeyBody(key, bannedUntil), object) ?? {};
  await events.append({ type: 'key.rotated', object, previous, storeId: key.storeId });
  return object;
};

export const rotateKey = writes(
  rotateKeyContract,
  async (repositories: KeyRepositories, { path, body }, _, deps: BanDeps & SecretDeps) => {
    const key = await lockKey(repositories.keys, path.keyId);
    refuseUnchangeable(key);
    const secret = makeSecret(deps.environment, deps.randomText);
    const bannedUntil = deps.limiter.bannedUntil(key.id);
    const shown = await reissueKey(repositories, key, { secret, graceMs: body.graceSeconds * 1000, bannedUntil });
    return { body: { ...shown, key: secret } };
  },
);
