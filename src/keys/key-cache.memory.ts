import type { KeyChanges } from '../kernel/key-changes.ts';
import type { Key } from './key.ts';
import type { KeyReads } from './keys.repository.ts';
import { hashSecret } from './secret.ts';

/** Enough for the keys that call at the same time; whatever is pushed out is read again. */
const MOST_KEYS = 10_000;

type Deps = { keys: Pick<KeyReads, 'findBySecret'>; changes: Pick<KeyChanges, 'subscribe' | 'isCurrent'> };

export type KeyCache = {
  /** The key, if this secret has opened it lately and it has not changed since. */
  get(secret: string): Key | undefined;
  open(secret: string, now: number): Promise<Key | undefined>;
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
  const readings = new Map<string, Reading>();
  let generation = 0;
  changes.subscribe((keyId) => {
    generation += 1;
    for (const [secret, key] of opened) if (key.id === keyId) opened.delete(secret);
  });

  const get = (secret: string): Key | undefined => (changes.isCurrent() ? opened.get(secret) : undefined);

  const read = async (secret: string, now: number): Promise<Key | undefined> => {
    const before = generation;
    const found = await keys.findBySecret(hashSecret(secret), now);
    // A key that changed while it was being read may already be another.
    if (found && found.secretEndsAt === null && before === generation) {
      const [oldest] = opened.keys();
      if (oldest !== undefined && opened.size >= MOST_KEYS) opened.delete(oldest);
      opened.set(secret, found.key);
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

  return { get, open };
};
