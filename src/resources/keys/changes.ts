/**
 * Tells whoever remembers something of a key that it has changed: in this process at once, and, where several instances
 * share the work, in all others within a second.
 */
export type KeyChanges = {
  publish(keyId: string): void;
  /** Calls `listener` from now on; returns how to stop. */
  subscribe(listener: (keyId: string) => void): () => void;
  /** Whether every change made elsewhere was told within the last second: what is remembered can be trusted. */
  isCurrent(): boolean;
};

/** For a process that works alone. */
export const createLocalKeyChanges = (): KeyChanges => {
  const listeners = new Set<(keyId: string) => void>();
  return {
    publish: (keyId) => {
      for (const listener of listeners) listener(keyId);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isCurrent: () => true,
  };
};
