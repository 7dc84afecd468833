export type Arrivals = {
  announce(storeId: bigint): void;
  subscribe(storeId: bigint, listener: () => void): () => void;
  subscribeToAll(listener: (storeId: bigint) => void): () => void;
  storeIds(): bigint[];
};

export const createLocalArrivals = (): Arrivals => {
  const waiting = new Map<bigint, Set<() => void>>();
  const waitingForAny = new Set<(storeId: bigint) => void>();
  return {
    announce: (storeId) => {
      const listeners = waiting.get(storeId);
      // Iterates over a copy, because a listener may subscribe or unsubscribe.
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
    storeIds: () => [...waiting.keys()],
  };
};
