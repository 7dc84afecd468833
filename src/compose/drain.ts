/** Whether the service is about to stop, and who wants to hear of it. */
export const createDrain = () => {
  const listeners = new Set<() => void>();
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    /** Calls `listener` when the service is about to stop, or at once if it is; returns how to stop listening. */
    onStop: (listener: () => void) => {
      if (isDraining) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drain: () => {
      isDraining = true;
      for (const listener of listeners) listener();
    },
  };
};
