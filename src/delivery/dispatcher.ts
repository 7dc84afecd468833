import { nextTurn, sleep } from '../kernel/runtime.ts';
import { createSendDue, type SendDeps } from './send-due.ts';

/** Maximum wait for responses during shutdown, in ms. */
const PATIENCE_MS = 1000;
/** Pause after a pass that found nothing, in ms. Events are delayed by at most this long. */
const PAUSE_MS = 20;

type Deps = SendDeps & {
  /** Adds deliveries for new events, in one store or in all stores. Returns whether there may be more. */
  fanOut(storeId: bigint | undefined): Promise<boolean>;
  /** Disables orphaned webhooks, and clears the deliveries of disabled and removed webhooks. Ends early if stopped. */
  clear(isStopped: () => boolean): Promise<void>;
  pause?(): Promise<void>;
  patienceMs?: number;
};

/** Sends webhooks. Wakes on each commit and once a second, then adds deliveries and starts the ones that are due. */
export const createDispatcher = (deps: Deps) => {
  const { pause = () => sleep(PAUSE_MS), patienceMs = PATIENCE_MS } = deps;
  /** Stores for the next passes; undefined means all. */
  const woken = new Set<bigint | undefined>();
  let running: Promise<void> | undefined;
  let clearing: Promise<void> | undefined;
  let isStopped = false;

  /** Makes a pass over one store or all stores, now or after the current pass. */
  const wake = (storeId?: bigint): void => {
    if (isStopped) return;
    woken.add(storeId);
    running ??= run();
  };

  const { sendDue, underWay, cutOff, stop } = createSendDue(deps, () => isStopped, wake);

  /** Fans out new events and starts due deliveries. Returns whether there was anything to do. */
  const pass = async (storeId: bigint | undefined): Promise<boolean> => {
    try {
      const hasMore = await deps.fanOut(storeId);
      if (hasMore) wake(storeId);
      return (await sendDue(storeId)) || hasMore;
    } catch (error) {
      deps.failed(error);
      return false;
    }
  };

  const run = async (): Promise<void> => {
    while (!isStopped && woken.size > 0) {
      // One pass handles all commits of a store from the same turn of the event loop.
      await nextTurn();
      const stores = woken.has(undefined) ? [undefined] : [...woken];
      woken.clear();
      let isBusy = false;
      for (const storeId of stores) if (await pass(storeId)) isBusy = true;
      // Most stores have no webhooks, so a series of commits must not cause a pass for each commit.
      if (!isBusy && !isStopped) await pause();
    }
    // There has been no await since the last check of `woken`, so a later wake starts a new run.
    running = undefined;
  };

  const clear = async (): Promise<void> => {
    await deps.clear(() => isStopped).catch(deps.failed);
    clearing = undefined;
  };

  return {
    /** Makes a pass over one store or all stores. A pass over all stores also clears disabled and removed webhooks. */
    wake(storeId?: bigint): void {
      wake(storeId);
      if (!isStopped && storeId === undefined) clearing ??= clear();
    },

    /** Starts no more attempts and waits briefly for running ones. Due deliveries stay due. */
    async stop(): Promise<void> {
      isStopped = true;
      stop();
      const patience = setTimeout(cutOff, patienceMs);
      while (running || underWay.size > 0) await Promise.all([running, ...underWay]);
      await clearing;
      clearTimeout(patience);
      // A lease that is not released expires on its own, so a failure must not prevent the database from closing.
      await deps.leases.release().catch(deps.failed);
    },
  };
};

export type Dispatcher = ReturnType<typeof createDispatcher>;
