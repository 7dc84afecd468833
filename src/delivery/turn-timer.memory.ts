/** Two wakes are not closer together: a turn that comes later by this is no loss. */
const SHORTEST_MS = 10;

type Deps = {
  /** The stores whose turn it is now, and how long until that of another. */
  next(): { storeIds: ReadonlySet<bigint>; inMs: number };
  wake(storeId: bigint): void;
  isStopped(): boolean;
};

/** Wakes the stores that wait for a host when their turn comes. */
export const createTurnTimer = ({ next, wake, isStopped }: Deps) => {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const arm = (): void => {
    clearTimeout(timer);
    if (isStopped()) return;
    const { storeIds, inMs } = next();
    for (const storeId of storeIds) wake(storeId);
    if (Number.isFinite(inMs)) timer = setTimeout(arm, Math.max(SHORTEST_MS, inMs));
  };

  return { arm, stop: (): void => clearTimeout(timer) };
};
