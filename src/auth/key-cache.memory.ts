import type { KeyChanges } from '../kernel/key-changes.ts';
import type { Key } from '../resources/keys/key.ts';
import type { KeyReads } from '../resources/keys/keys.repository.ts';
import { hashSecret, isIssuedForm, recognise } from '../resources/keys/secret.ts';

/** Enough for the keys that call at the same time; whatever is pushed out is read again. */
const MOST_KEYS = 10_000;

/** So many secrets that open nothing are remembered: a client that goes on with an old one costs no reads. */
const MOST_UNKNOWN = 1000;

type Deps = {
  keys: Pick<KeyReads, 'findBySecret' | 'findAdmin'>;
  changes: Pick<KeyChanges, 'subscribe' | 'isCurrent'>;
};

export type KeyCache = {
  /** The key, if this secret has opened it lately and it has not changed since. */
  get(secret: string): Key | undefined;
  /** Whether it has opened nothing lately, and no key has changed since. */
  isUnknown(secret: string): boolean;
  /** Whether it looks like a secret that can open anything: one of an issued key, or that of the admin key. */
  isPossible(secret: string): Promise<boolean>;
  open(secret: string, now: number): Promise<Key | undefined>;
};

/** The same, with a place for one more. */
const withPlace = <Values extends Map<string, Key> | Set<string>>(values: Values, most: number): Values => {
  const [oldest] = values.keys();
  if (oldest !== undefined && values.size >= most) values.delete(oldest);
  return values;
};

/** How the admin key begins and ends: all that is kept of it beside its hash. Read again after any key has changed. */
const createAdminForm = (keys: Pick<KeyReads, 'findAdmin'>) => {
  let admin: Promise<Key | undefined> | undefined;
  const forget = (): void => {
    admin = undefined;
  };
  const read = (): Promise<Key | undefined> =>
    keys.findAdmin().catch((error) => {
      forget();
      throw error;
    });
  return {
    forget,
    async matches(secret: string): Promise<boolean> {
      admin ??= read();
      const key = await admin;
      const { prefix, last4 } = recognise(secret);
      return key?.prefix === prefix && key.last4 === last4;
    },
  };
};

/** A secret that ends before its key does opens it for so long. */
const openedBy = ({ key, secretEndsAt }: { key: Key; secretEndsAt: number | null }): Key =>
  secretEndsAt === null ? key : { ...key, expiresAt: Math.min(secretEndsAt, key.expiresAt ?? secretEndsAt) };

/**
 * A secret that is being read. Whoever asks for it meanwhile shares one more read, begun after they asked: what they
 * are told is never older than their question, and a thousand who come together cost two reads.
 */
type Reading = { current: Promise<Key | undefined>; next?: Promise<Key | undefined>; lastAsked: number };

/**
 * The key that a secret opens, remembered until the key changes: by the secret itself, because to hash it costs more
 * than all else that is asked of it. A secret that has an end is not remembered: after a rotation it must stop to the
 * moment.
 */
export const createKeyCache = ({ keys, changes }: Deps): KeyCache => {
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
    // A key that changed while it was being read may already be another.
    if (before === generation) {
      if (!found) withPlace(unknown, MOST_UNKNOWN).add(secret);
      else if (found.secretEndsAt === null) withPlace(opened, MOST_KEYS).set(secret, found.key);
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
    isUnknown: (secret) => unknown.has(secret) && changes.isCurrent?.() !== false,
    isPossible: async (secret) => isIssuedForm(secret) || admin.matches(secret),
    open,
  };
};
