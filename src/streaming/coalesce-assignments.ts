type Deps = {
  /** Assigns sequences to some committed events of a store. True if there may be more. */
  assignSome(storeId: bigint): Promise<boolean>;
  assigned(storeId: bigint): void;
  failed(error: unknown): void;
};

/** The current run in a store, and the next run for callers that arrived during it. */
type Underway = { next: PromiseWithResolvers<void> | undefined };

/**
 * Assigns sequences to all committed events of a store, one run at a time. Callers that arrive during a run share the
 * next run, which includes everything that was committed before they called.
 */
export const coalesceAssignments = ({ assignSome, assigned, failed }: Deps) => {
  const underway = new Map<bigint, Underway>();

  const run = async (storeId: bigint): Promise<void> => {
    const current: Underway = { next: undefined };
    underway.set(storeId, current);
    try {
      while (await assignSome(storeId));
      assigned(storeId);
    } catch (error) {
      underway.delete(storeId);
      failed(error);
      // The next run would fail in the same way.
      current.next?.reject(error);
      throw error;
    }
    underway.delete(storeId);
    if (current.next) run(storeId).then(current.next.resolve, current.next.reject);
  };

  /** Resolves once all events committed so far in the store have a sequence. */
  const assign = (storeId: bigint): Promise<void> => {
    const current = underway.get(storeId);
    if (!current) return run(storeId);
    current.next ??= Promise.withResolvers();
    return current.next.promise;
  };

  return {
    assign,
    /** Starts a run without waiting for it. */
    committed: (storeId: bigint): void => {
      assign(storeId).catch(() => undefined);
    },
  };
};
