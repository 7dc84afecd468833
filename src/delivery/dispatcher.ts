import { nextTurn, sleep } from '../kernel/runtime.ts';
import { createSendDue, type SendDeps } from './send-due.ts';

const PATIENCE_MS = 1000;
/** Pause in ms after a search that found no due deliveries. A new event waits at most this long. */
const PAUSE_MS = 20;

type Deps = SendDeps & {
  isLeader(): boolean;
  /**
   * Creates deliveries for new events, in all stores if `storeId` is undefined. Returns true if some events still need
   * deliveries.
   */
  fanOut(storeId: bigint | undefined): Promise<boolean>;
  clear(isStopped: () => boolean): Promise<void>;
  pause?(): Promise<void>;
  patienceMs?: number;
};

export const createDispatcher = (deps: Deps) => {
  const { pause = () => sleep(PAUSE_MS), patienceMs = PATIENCE_MS } = deps;
  const woken = new Set<bigint | undefined>();
  let running: Promise<void> | undefined;
  let clearing: Promise<void> | undefined;
  let isStopped = false;

  const wake = (storeId?: bigint): void => {
    if (isStopped || !deps.isLeader()) return;
    woken.add(storeId);
    running ??= run();
  };

  const { sendDue, underWay, cutOff, stop } = createSendDue(deps, () => isStopped, wake);

  const pass = async (storeId: bigint | undefined, sends: boolean): Promise<boolean> => {
    try {
      const hasMore = await deps.fanOut(storeId);
      if (hasMore) wake(storeId);
      return (sends && (await sendDue(storeId))) || hasMore;
    } catch (error) {
      deps.failed(error);
      return false;
    }
  };

  const run = async (): Promise<void> => {
    while (!isStopped && woken.size > 0) {
      await nextTurn();
      const isForAll = woken.delete(undefined);
      const stores = isForAll ? [...woken, undefined] : [...woken];
      woken.clear();
      let isBusy = false;
      for (const storeId of stores) if (await pass(storeId, !isForAll || storeId === undefined)) isBusy = true;
      // All commits during this pause share one search. Without the pause, each commit would cause a search, even in a
      // store without webhooks.
      if (!isBusy && !isStopped) await pause();
    }
    // This function has not awaited anything since the loop checked `woken`, so no call to `wake` can have been missed.
    running = undefined;
  };

  const clear = async (): Promise<void> => {
    await deps.clear(() => isStopped).catch(deps.failed);
    clearing = undefined;
  };

  return {
    wake(storeId?: bigint): void {
      wake(storeId);
      if (!isStopped && deps.isLeader() && storeId === undefined) clearing ??= clear();
    },

    async stop(): Promise<void> {
      isStopped = true;
      stop();
      const patience = setTimeout(cutOff, patienceMs);
      while (running || underWay.size > 0) await Promise.all([running, ...underWay]);
      await clearing;
      clearTimeout(patience);
    },
  };
};

export type Dispatcher = ReturnType<typeof createDispatcher>;
