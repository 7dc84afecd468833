import type { KeyChanges } from '../resources/keys/changes.ts';
import type { Key } from '../resources/keys/key.ts';
import type { KeyReads } from '../resources/keys/keys.repository.ts';
import { hashSecret, isIssuedForm, recognise } from '../resources/keys/secret.ts';

/** Maximum cached keys. An evicted key is read again. */
const MOST_KEYS = 10_000;

/** Maximum cached secrets that match no key, so that a client with an old secret causes no reads. */
const MOST_UNKNOWN = 1000;

type Deps = {
  keys: Pick<KeyReads, 'findBySecret' | 'findAdmin'>;
  changes: Pick<KeyChanges, 'subscribe' | 'isCurrent'>;
};

const makeRoom = <Values extends Map<string, Key> | Set<string>>(values: Values, most: number): Values => {
  const [oldest] = values.keys();
  if (oldest !== undefined && values.size >= most) values.delete(oldest);
  return values;
};

/** Compares a secret with the first and last characters of the admin key, which are reread after any key change. */
const createAdminForm = (keys: Pick<KeyReads, 'findAdmin'>) => {
  let admin: Promise<Key | undefined> | undefined;
  const forget = (): void => {
    admin = undefined;
  };
  return {
    forget,
    async matches(secret: string): Promise<boolean> {
      admin ??= keys.findAdmin().catch((error) => {
        forget();
        throw error;
      });
      const key = await admin;
      const { prefix, last4 } = recognise(secret);
      return key?.prefix === prefix && key.last4 === last4;
    },
  };
};

/** Limits the key's expiry to that of the secret, which may end earlier. */
const openedBy = ({ key, secretEndsAt }: { key: Key; secretEndsAt: number | null }): Key =>
  secretEndsAt === null ? key : { ...key, expiresAt: Math.min(secretEndsAt, key.expiresAt ?? secretEndsAt) };

/**
 * A lookup in progress. Requests that arrive during it share one more, started after they arrived: no result is older
 * than its request, and a thousand concurrent requests cost two reads.
 */
type Reading = { current: Promise<Key | undefined>; next?: Promise<Key | undefined>; lastAsked: number };

/**
 * Caches keys until they change, by the plain secret: hashing would cost more than all other checks of a request. An
 * expiring secret is not cached: after a rotation it must stop on time.
 */
export const createKeyCache = ({ keys, changes }: Deps) => {
  const opened = new Map<string, Key>();
  const unknown = new Set<string>();
  const admin = createAdminForm(keys);
  const readings = new Map<string, Reading>();
  let generation = 0;
  changes.subscribe((keyId) => {
    generation += 1;
    unknown.clear();
    admin.forget();
    for (const [secret, key] of opened) if (key.id === keyId) opened.delete(secret);
  });

  const get = (secret: string): Key | undefined => (changes.isCurrent?.() === false ? undefined : opened.get(secret));

  const read = async (secret: string, now: number): Promise<Key | undefined> => {
    const before = generation;
    const found = await keys.findBySecret(hashSecret(secret), now);
    // A key that changed during the read may be outdated.
    if (before === generation) {
      if (!found) makeRoom(unknown, MOST_UNKNOWN).add(secret);
      else if (found.secretEndsAt === null) makeRoom(opened, MOST_KEYS).set(secret, found.key);
    }
    return found && openedBy(found);
  };

  const open = (secret: string, now: number): Promise<Key | undefined> => {
    const reading = readings.get(secret);
    if (!reading) {
      const current = read(secret, now).finally(() => readings.delete(secret));
      readings.set(secret, { current, lastAsked: now });
      return current;
    }
    const again = async () => get(secret) ?? open(secret, reading.lastAsked);
    reading.lastAsked = now;
    reading.next ??= reading.current.then(again, again);
    return reading.next;
  };

  return {
    get,
    isUnknown: (secret: string) => unknown.has(secret) && changes.isCurrent?.() !== false,
    isPossible: async (secret: string) => isIssuedForm(secret) || admin.matches(secret),
    open,
  };
};
