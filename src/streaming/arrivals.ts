export const createLocalArrivals = () => {
  const waiting = new Map<bigint, Set<() => void>>();
  const waitingForDeliveries = new Set<(storeId: bigint) => void>();
  return {
    announce: (storeId: bigint, hasDeliveries = true): void => {
      const listeners = waiting.get(storeId);
      if (listeners) for (const listener of [...listeners]) listener();
      if (hasDeliveries) for (const listener of waitingForDeliveries) listener(storeId);
    },
    subscribe: (storeId: bigint, listener: () => void): (() => void) => {
      const listeners = waiting.get(storeId) ?? new Set();
      waiting.set(storeId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && waiting.get(storeId) === listeners) waiting.delete(storeId);
      };
    },
    subscribeToDeliveries: (listener: (storeId: bigint) => void): (() => void) => {
      waitingForDeliveries.add(listener);
      return () => waitingForDeliveries.delete(listener);
    },
    storeIds: (): bigint[] => [...waiting.keys()],
  };
};

export type Arrivals = ReturnType<typeof createLocalArrivals>;
