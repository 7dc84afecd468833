import type { Clock } from '../kernel/clock.ts';
import { createEndpointStates, type EndpointState } from './endpoint-states.memory.ts';
import { createWakeLoop, nextTurn } from './wake-loop.memory.ts';
import type { DeliveryQueue, DueDelivery, DueEndpoint } from './webhooks.repository.ts';

/** So many due deliveries of an endpoint are looked at to find some that may be sent. */
const LOOKED_AT = 64;
/** So many endpoints are looked at before others get a turn of the event loop. */
const ENDPOINTS_AT_ONCE = 16;
/** How long the end of the process waits for answers of receivers. */
const PATIENCE_MS = 1000;

type Deps = {
  clock: Clock;
  queue: Pick<DeliveryQueue, 'endpoints' | 'deliveries'>;
  /** What only this instance may send to. */
  leases: { acquire(endpoint: DueEndpoint): Promise<boolean>; release(): Promise<void> };
  /** Adds deliveries of new events, in one store or in all; says whether there may be more of them. */
  fanOut(storeId: bigint | undefined): Promise<boolean>;
  /** Makes one attempt and keeps what it came to, unless it is cut off; says whether it was delivered. */
  attempt(endpoint: DueEndpoint, delivery: DueDelivery, cutOff: AbortSignal): Promise<boolean>;
  /** Clears what webhooks that are switched off or removed have left, until it is stopped. */
  clear(isStopped: () => boolean): Promise<void>;
  failed(error: unknown): void;
  /** Lets a moment pass after a look that found nothing. */
  pause?(): Promise<void>;
};

/** What is due in one store or in all, begun as far as the caps allow. */
const createSending = (deps: Deps, isStopped: () => boolean, wake: (storeId?: bigint) => void) => {
  const states = createEndpointStates(deps.clock);
  const underWay = new Set<Promise<void>>();
  const cutOff = new AbortController();

  const stateOf = ({ storeId, webhookId }: DueEndpoint): EndpointState => states.of(storeId, webhookId);

  const start = (endpoint: DueEndpoint, to: EndpointState, delivery: DueDelivery): void => {
    const ended = states.begin(to, delivery.id, delivery.attempt === 0 ? delivery.petId : null);
    const attempt = deps
      .attempt(endpoint, delivery, cutOff.signal)
      // A result that cannot be kept leaves the delivery due: counted as a failure, it is not sent again without end.
      .catch((error) => {
        deps.failed(error);
        return false;
      })
      .then((isDelivered) => {
        const wasFull = states.isFull();
        ended(isDelivered);
        underWay.delete(attempt);
        // In a full process those of any store that have waited longest come next.
        wake(wasFull ? undefined : endpoint.storeId);
      });
    underWay.add(attempt);
  };

  const sendTo = async (endpoint: DueEndpoint): Promise<void> => {
    const to = stateOf(endpoint);
    if (!states.mayStart(to) || !(await deps.leases.acquire(endpoint))) return;
    // An attempt may end, and be kept, between the look at what is due and the choice: it must not be made twice.
    const wereSending = new Set(to.sending);
    for (const delivery of await deps.queue.deliveries(endpoint, deps.clock(), LOOKED_AT)) {
      if (isStopped() || !states.mayStart(to)) return;
      const isSent = wereSending.has(delivery.id) || to.sending.has(delivery.id);
      const waitsForPet = delivery.attempt === 0 && delivery.petId !== null && to.pets.has(delivery.petId);
      if (!isSent && !waitsForPet) start(endpoint, to, delivery);
    }
  };

  return {
    underWay,
    cutOff: () => cutOff.abort(),
    forget: states.forget,

    /** Says whether anything is due. Who has waited longest comes first. */
    async sendDue(storeId: bigint | undefined): Promise<boolean> {
      const due = await deps.queue.endpoints(deps.clock(), storeId);
      const endpoints = due
        .filter((endpoint) => states.mayStart(stateOf(endpoint)))
        .sort((a, b) => stateOf(a).turn - stateOf(b).turn);
      for (let done = 0; done < endpoints.length && !isStopped(); done += ENDPOINTS_AT_ONCE) {
        if (done > 0) await nextTurn();
        const some = endpoints.slice(done, done + ENDPOINTS_AT_ONCE);
        await Promise.all(some.map((endpoint) => sendTo(endpoint).catch(deps.failed)));
      }
      return due.length > 0;
    },
  };
};

/**
 * Decides what is sent when: a few at a time to each endpoint and in each store, first attempts for one animal one after
 * another, and nothing for a while to an endpoint that does not work.
 */
export const createDispatcher = (deps: Deps) => {
  let isStopped = false;
  let clearing: Promise<void> | undefined;

  const look = async (storeId: bigint | undefined): Promise<boolean> => {
    try {
      if (storeId === undefined) sending.forget();
      const isBehind = await deps.fanOut(storeId);
      if (isBehind) loop.wake(storeId);
      return (await sending.sendDue(storeId)) || isBehind;
    } catch (error) {
      deps.failed(error);
      return false;
    }
  };
  const loop = createWakeLoop({ look, pause: deps.pause });
  const sending = createSending(deps, () => isStopped, loop.wake);

  const clear = async (): Promise<void> => {
    await deps.clear(() => isStopped).catch(deps.failed);
    clearing = undefined;
  };

  const idle = async (): Promise<void> => {
    while (loop.ended() || sending.underWay.size > 0) await Promise.all([loop.ended(), ...sending.underWay]);
  };

  return {
    /** Looks for something to send, in one store or in all; in all also for something to clear. */
    wake(storeId?: bigint): void {
      if (isStopped) return;
      loop.wake(storeId);
      if (storeId === undefined) clearing ??= clear();
    },

    /** Starts nothing more, and waits a little for what is under way; what is due stays due. */
    async stop(): Promise<void> {
      isStopped = true;
      loop.stop();
      const patience = setTimeout(sending.cutOff, PATIENCE_MS);
      await Promise.all([idle(), clearing]);
      clearTimeout(patience);
      // A lease that cannot be given back ends by itself, and must not keep the database from being closed.
      await deps.leases.release().catch(deps.failed);
    },
  };
};

export type Dispatcher = ReturnType<typeof createDispatcher>;
