import type { Clock } from '../../kernel/clock.ts';
import { changedFields, type EventLog } from '../../kernel/event.ts';
import { toKeyBody } from './key.body.ts';
import type { Key } from './key.ts';
import type { KeyRepository } from './keys.repository.ts';
import { hashSecret, recognise } from './secret.ts';

type Repositories = { keys: KeyRepository; events: EventLog; now: Clock };

/** What is decided of a key when it is issued; the rest follows from its secret, or has not happened yet. */
type Decided = Omit<Key, 'prefix' | 'last4' | 'createdAt' | 'lastUsedAt' | 'revokedAt'>;

/** Keeps a new key under the hash of its secret, tells of it, and returns it as it may be shown. */
export const issueKey = async (repositories: Repositories, decided: Decided, secret: string) => {
  const key: Key = {
    ...decided,
    ...recognise(secret),
    createdAt: repositories.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await repositories.keys.insert(key, hashSecret(secret));
  const object = toKeyBody(key, undefined);
  await repositories.events.append({ type: 'key.created', object, storeId: key.storeId });
  return object;
};

/** Gives a key another secret, tells of it, and returns the key as it may be shown. */
export const reissueKey = async (
  repositories: Repositories,
  key: Key,
  { secret, graceMs, bannedUntil }: { secret: string; graceMs: number; bannedUntil: number | undefined },
) => {
  const reissued: Key = { ...key, ...recognise(secret) };
  await repositories.keys.replaceSecret(reissued, hashSecret(secret), repositories.now() + graceMs);
  const object = toKeyBody(reissued, bannedUntil);
  const previous = changedFields(toKeyBody(key, bannedUntil), object) ?? {};
  await repositories.events.append({ type: 'key.rotated', object, previous, storeId: key.storeId });
  return object;
};
