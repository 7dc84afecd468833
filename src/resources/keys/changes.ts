/** Notifies caches that a key has changed: immediately in this process, and within a second in other instances. */
export type KeyChanges = {
  publish(keyId: string): void;
  subscribe(listener: (keyId: string) => void): () => void;
  /** False if this instance may lack changes that are more than a second old. Missing if there is only one process. */
  isCurrent?(): boolean;
};

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
  };
};
