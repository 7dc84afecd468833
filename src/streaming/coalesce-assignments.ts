import type { Assigned } from './sequencer.ts';

type Deps = {
  assignSome(storeId: bigint): Promise<Assigned>;
  assigned(storeId: bigint, hasDeliveries: boolean): void;
  failed(error: unknown): void;
};

type Underway = { next: PromiseWithResolvers<void> | undefined };

/** A run may miss events that are committed after it starts, so callers that arrive during a run share the next run. */
export const coalesceAssignments = ({ assignSome, assigned, failed }: Deps) => {
  const underway = new Map<bigint, Underway>();

  const run = async (storeId: bigint): Promise<void> => {
    const current: Underway = { next: undefined };
    underway.set(storeId, current);
    try {
      let done = await assignSome(storeId);
      while (done.hasMore) done = await assignSome(storeId);
      assigned(storeId, done.hasDeliveries);
    } catch (error) {
      underway.delete(storeId);
      failed(error);
      // The callers waiting for the next run fail too, because that run would fail for the same reason.
      current.next?.reject(error);
      throw error;
    }
    underway.delete(storeId);
    if (current.next) run(storeId).then(current.next.resolve, current.next.reject);
  };

  const assign = (storeId: bigint): Promise<void> => {
    const current = underway.get(storeId);
    if (!current) return run(storeId);
    current.next ??= Promise.withResolvers();
    return current.next.promise;
  };

  return {
    assign,
    committed: (storeId: bigint): void => void assign(storeId).catch(() => undefined),
  };
};
