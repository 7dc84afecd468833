export type Arrivals = {
  announce(storeId: bigint, hasDeliveries?: boolean): void;
  subscribe(storeId: bigint, listener: () => void): () => void;
  /** Calls `listener` for each store that may have new deliveries. */
  subscribeToDeliveries(listener: (storeId: bigint) => void): () => void;
  /** Returns the stores that have a subscriber. */
  storeIds(): bigint[];
};

export const createLocalArrivals = (): Arrivals => {
  const waiting = new Map<bigint, Set<() => void>>();
  const waitingForDeliveries = new Set<(storeId: bigint) => void>();
  return {
    announce: (storeId, hasDeliveries = true) => {
      const listeners = waiting.get(storeId);
      // Iterates over a copy, because a listener may subscribe or unsubscribe while it runs.
      if (listeners) for (const listener of [...listeners]) listener();
      if (hasDeliveries) for (const listener of waitingForDeliveries) listener(storeId);
    },
    subscribe: (storeId, listener) => {
      const listeners = waiting.get(storeId) ?? new Set();
      waiting.set(storeId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && waiting.get(storeId) === listeners) waiting.delete(storeId);
      };
    },
    subscribeToDeliveries: (listener) => {
      waitingForDeliveries.add(listener);
      return () => waitingForDeliveries.delete(listener);
    },
    storeIds: () => [...waiting.keys()],
  };
};
