/** Tells those who wait for events of a store that there are new ones. What they are is read from the repository. */
export type Arrivals = {
  announce(storeId: bigint): void;
  /** Calls `listener` from now on; returns how to stop. */
  subscribe(storeId: bigint, listener: () => void): () => void;
  /** The same for the events of all stores; the listener hears in which. */
  subscribeToAll(listener: (storeId: bigint) => void): () => void;
};

/** For a process that works alone. */
export const createLocalArrivals = (): Arrivals => {
  const waiting = new Map<bigint, Set<() => void>>();
  const waitingForAny = new Set<(storeId: bigint) => void>();
  return {
    announce: (storeId) => {
      const listeners = waiting.get(storeId);
      // A copy: those who hear it may subscribe or leave.
      if (listeners) for (const listener of [...listeners]) listener();
      for (const listener of waitingForAny) listener(storeId);
    },
    subscribe: (storeId, listener) => {
      const listeners = waiting.get(storeId) ?? new Set();
      waiting.set(storeId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && waiting.get(storeId) === listeners) waiting.delete(storeId);
      };
    },
    subscribeToAll: (listener) => {
      waitingForAny.add(listener);
      return () => waitingForAny.delete(listener);
    },
  };
};
