/** Between two looks that find nothing. An event is told later by this at most. */
const PAUSE_MS = 20;

type Deps = {
  /** Looks for something to do, in one store or in all; says whether there was anything. Never rejects. */
  look(storeId: bigint | undefined): Promise<boolean>;
  isStopped(): boolean;
  /** Lets a moment pass. */
  pause?: (() => Promise<void>) | undefined;
};

const wait = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));

/** Lets requests that have arrived meanwhile be served. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Looks at the stores that were woken, one after another, until none is left. */
export const createWakeLoop = ({ look, isStopped, pause = wait }: Deps) => {
  /** undefined stands for all stores. */
  const woken = new Set<bigint | undefined>();
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    while (!isStopped() && woken.size > 0) {
      // The commits of one turn are looked at together.
      await nextTurn();
      const stores = woken.has(undefined) ? [undefined] : [...woken];
      woken.clear();
      let isBusy = false;
      for (const storeId of stores) if (await look(storeId)) isBusy = true;
      // Most stores have no webhook: what is written there again and again is not looked at after every commit.
      if (!isBusy && !isStopped()) await pause();
    }
    // No await since the last check: whoever wakes it from here on starts a new run.
    running = undefined;
  };

  return {
    /** Looks at a store or at all, now or as soon as the look under way is done. */
    wake(storeId?: bigint): void {
      if (isStopped()) return;
      woken.add(storeId);
      running ??= run();
    },
    /** Resolves when the looks under way are done; undefined if there are none. */
    ended: (): Promise<void> | undefined => running,
  };
};
