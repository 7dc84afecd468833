/** A key change reaches subscribers in this process immediately, and subscribers in other instances within a second. */
export type KeyChanges = {
  publish(keyId: string): void;
  subscribe(listener: (keyId: string) => void): () => void;
  /** Returns false if this instance may have missed a change that is more than a second old. Not defined on SQLite. */
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
