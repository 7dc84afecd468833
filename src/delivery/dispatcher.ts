import { createSending, type SendingDeps } from './send-due.ts';
import { createWakeLoop } from './wake-loop.memory.ts';

/** How long the end of the process waits for answers of receivers. */
const PATIENCE_MS = 1000;

type Deps = SendingDeps & {
  /** Adds deliveries of new events, in one store or in all; says whether there may be more of them. */
  fanOut(storeId: bigint | undefined): Promise<boolean>;
  /** Clears what webhooks that are switched off or removed have left, until it is stopped. */
  clear(isStopped: () => boolean): Promise<void>;
  /** Lets a moment pass after a look that found nothing. */
  pause?(): Promise<void>;
  patienceMs?: number;
};

/** Sends what webhooks ask for: woken after each commit and once a second, it adds deliveries and begins those that are due. */
export const createDispatcher = (deps: Deps) => {
  let isStopped = false;
  let clearing: Promise<void> | undefined;

  const look = async (storeId: bigint | undefined): Promise<boolean> => {
    try {
      const isBehind = await deps.fanOut(storeId);
      if (isBehind) loop.wake(storeId);
      return (await sending.sendDue(storeId)) || isBehind;
    } catch (error) {
      deps.failed(error);
      return false;
    }
  };
  const loop = createWakeLoop({ look, isStopped: () => isStopped, pause: deps.pause });
  const sending = createSending(deps, () => isStopped, loop.wake);

  const clear = async (): Promise<void> => {
    await deps.clear(() => isStopped).catch(deps.failed);
    clearing = undefined;
  };

  const idle = async (): Promise<void> => {
    while (loop.ended() || sending.underWay.size > 0) await Promise.all([loop.ended(), ...sending.underWay]);
  };

  return {
    /** Looks for something to send, in one store or in all; in all also for something to clear or to forget. */
    wake(storeId?: bigint): void {
      loop.wake(storeId);
      if (isStopped || storeId !== undefined) return;
      clearing ??= clear();
    },

    /** Starts nothing more, and waits a little for what is under way; what is due stays due. */
    async stop(): Promise<void> {
      isStopped = true;
      sending.stop();
      const patience = setTimeout(sending.cutOff, deps.patienceMs ?? PATIENCE_MS);
      await Promise.all([idle(), clearing]);
      clearTimeout(patience);
      // A lease that cannot be given back ends by itself, and must not keep the database from being closed.
      await deps.leases.release().catch(deps.failed);
    },
  };
};

export type Dispatcher = ReturnType<typeof createDispatcher>;
