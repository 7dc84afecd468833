import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSendDue, type SendDeps } from './send-due.ts';

/** Maximum wait for answers of receivers when the process ends. */
const PATIENCE_MS = 1000;
/** Pause after a look that found nothing; it delays an event by at most this. */
const PAUSE_MS = 20;

type Deps = SendDeps & {
  /** Adds deliveries of new events, in one store or in all; says whether there may be more of them. */
  fanOut(storeId: bigint | undefined): Promise<boolean>;
  /** Disables orphaned webhooks and clears what disabled and removed ones have left, until it is stopped. */
  clear(isStopped: () => boolean): Promise<void>;
  pause?(): Promise<void>;
  patienceMs?: number;
};

const wait = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));

/** Sends webhooks: woken after each commit and once a second, it adds deliveries and starts those that are due. */
export const createDispatcher = (deps: Deps) => {
  const { pause = wait, patienceMs = PATIENCE_MS } = deps;
  /** Stores to look at next; undefined stands for all. */
  const woken = new Set<bigint | undefined>();
  let running: Promise<void> | undefined;
  let clearing: Promise<void> | undefined;
  let isStopped = false;

  /** Looks at a store or at all, now or after the current look. */
  const wake = (storeId?: bigint): void => {
    if (isStopped) return;
    woken.add(storeId);
    running ??= run();
  };

  const { sendDue, underWay, cutOff, stop } = createSendDue(deps, () => isStopped, wake);

  /** Says whether there was anything to do. */
  const look = async (storeId: bigint | undefined): Promise<boolean> => {
    try {
      const isBehind = await deps.fanOut(storeId);
      if (isBehind) wake(storeId);
      return (await sendDue(storeId)) || isBehind;
    } catch (error) {
      deps.failed(error);
      return false;
    }
  };

  const run = async (): Promise<void> => {
    while (!isStopped && woken.size > 0) {
      // The commits of one turn are looked at together.
      await nextTurn();
      const stores = woken.has(undefined) ? [undefined] : [...woken];
      woken.clear();
      let isBusy = false;
      for (const storeId of stores) if (await look(storeId)) isBusy = true;
      // Most stores have no webhook: frequent commits there must not cause a look each.
      if (!isBusy && !isStopped) await pause();
    }
    // No await since the last check: a wake from here on starts a new run.
    running = undefined;
  };

  const clear = async (): Promise<void> => {
    await deps.clear(() => isStopped).catch(deps.failed);
    clearing = undefined;
  };

  return {
    /** Looks for something to send, in one store or in all; in all also for something to clear. */
    wake(storeId?: bigint): void {
      wake(storeId);
      if (!isStopped && storeId === undefined) clearing ??= clear();
    },

    /** Starts nothing more and waits a little for attempts under way. What is due stays due. */
    async stop(): Promise<void> {
      isStopped = true;
      stop();
      const patience = setTimeout(cutOff, patienceMs);
      while (running || underWay.size > 0) await Promise.all([running, ...underWay]);
      await clearing;
      clearTimeout(patience);
      // A lease that cannot be given back ends by itself, and must not keep the database from being closed.
      await deps.leases.release().catch(deps.failed);
    },
  };
};

export type Dispatcher = ReturnType<typeof createDispatcher>;
