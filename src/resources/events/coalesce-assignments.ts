type Deps = {
  /** Gives sequences to some events of a store that are committed, and says whether there may be more. */
  assignSome(storeId: bigint): Promise<boolean>;
  assigned(storeId: bigint): void;
  failed(error: unknown): void;
};

/** The run that is under way in a store, and those who came too late for it: they share the next. */
type Underway = { next: PromiseWithResolvers<void> | undefined };

/**
 * Gives sequences to all that is committed in a store, in one run at a time: all who ask during a run share the one after
 * it, which sees whatever was committed before they asked.
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
      // They would wait as long again to hear the same.
      current.next?.reject(error);
      throw error;
    }
    underway.delete(storeId);
    if (current.next) run(storeId).then(current.next.resolve, current.next.reject);
  };

  /** Resolves once all that is committed in the store now has its sequence. */
  const assign = (storeId: bigint): Promise<void> => {
    const current = underway.get(storeId);
    if (!current) return run(storeId);
    current.next ??= Promise.withResolvers();
    return current.next.promise;
  };

  return {
    assign,
    /** The same where nobody waits for it. */
    committed: (storeId: bigint): void => {
      assign(storeId).catch(() => undefined);
    },
  };
};
