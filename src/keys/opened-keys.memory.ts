import type { KeyChanges } from '../kernel/key-changes.ts';
import type { Key } from './key.ts';
import type { KeyReads } from './keys.store.ts';

/** Enough for the keys that call at the same time; whatever is pushed out is read again. */
const MOST_KEYS = 10_000;

type Deps = { keys: Pick<KeyReads, 'findBySecret'>; changes: Pick<KeyChanges, 'subscribe' | 'isCurrent'> };

/**
 * The key that a secret opens, remembered by the hash of the secret until the key changes. A secret that has an end is
 * not remembered: after a rotation it must stop to the moment.
 */
export const createOpenedKeys = ({ keys, changes }: Deps) => {
  const opened = new Map<string, Key>();
  let generation = 0;
  changes.subscribe((keyId) => {
    generation += 1;
    for (const [hash, key] of opened) if (key.id === keyId) opened.delete(hash);
  });

  return async (hash: Uint8Array, now: number): Promise<Key | undefined> => {
    const name = Buffer.from(hash).toString('latin1');
    const known = changes.isCurrent() ? opened.get(name) : undefined;
    if (known) return known;
    const before = generation;
    const found = await keys.findBySecret(hash, now);
    // A key that changed while it was being read may already be another.
    if (found && found.secretEndsAt === null && before === generation) {
      const [oldest] = opened.keys();
      if (oldest !== undefined && opened.size >= MOST_KEYS) opened.delete(oldest);
      opened.set(name, found.key);
    }
    return found?.key;
  };
};
