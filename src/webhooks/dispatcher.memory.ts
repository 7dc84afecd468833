import type { Clock } from '../kernel/clock.ts';
import { createEndpointStates, type EndpointState } from './endpoint-states.memory.ts';
import type { DueDelivery, DueEndpoint } from './webhooks.repository.ts';

/** So many due deliveries of an endpoint are looked at to find some that may be sent. */
const LOOKED_AT = 64;
/** So many endpoints are looked at before others get a turn of the event loop. */
const ENDPOINTS_AT_ONCE = 16;

type Deps = {
  clock: Clock;
  /**
   * Puts events on their way that webhooks were not told of yet, in one store or in all; returns whether there may be
   * more of them.
   */
  fanOut(storeId: bigint | undefined): Promise<boolean>;
  /** The endpoints that have something to send, in one store or in all. */
  endpoints(storeId: bigint | undefined): Promise<DueEndpoint[]>;
  /** The due deliveries of an endpoint; none if another instance sends to it. */
  deliveries(endpoint: DueEndpoint, most: number): Promise<DueDelivery[]>;
  /** Makes one attempt and keeps what it came to. Says whether it was delivered. */
  attempt(endpoint: DueEndpoint, delivery: DueDelivery): Promise<boolean>;
  failed(error: unknown): void;
  /** Lets a moment pass. */
  pause(): Promise<void>;
};

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Decides what is sent when: a few at a time to each endpoint and in each store, first attempts for one animal one after
 * another, and nothing for a while to an endpoint that does not work. Who has waited longest comes first.
 */
export const createDispatcher = (deps: Deps) => {
  const states = createEndpointStates(deps.clock);
  const underWay = new Set<Promise<void>>();
  const wokenStores = new Set<bigint>();
  let isAllWoken = false;
  let running: Promise<void> | undefined;
  let isStopped = false;

  const stateOf = ({ storeId, webhookId }: DueEndpoint): EndpointState => states.to(storeId, webhookId);

  const start = (endpoint: DueEndpoint, to: EndpointState, delivery: DueDelivery): void => {
    const ended = states.begin(to, delivery.id, delivery.attempt === 0 ? delivery.petId : null);
    const attempt = deps
      .attempt(endpoint, delivery)
      // What cannot be kept is due still: as a failure it slows down, and is not sent again and again at once.
      .catch((error) => {
        deps.failed(error);
        return false;
      })
      .then((isDelivered) => {
        ended(isDelivered);
        underWay.delete(attempt);
        wake(endpoint.storeId);
      });
    underWay.add(attempt);
  };

  const sendTo = async (endpoint: DueEndpoint): Promise<void> => {
    const to = stateOf(endpoint);
    if (!states.mayStart(to)) return;
    // An attempt may end, and be kept, between the look at what is due and the choice: it must not be made twice.
    const wereSending = new Set(to.sending);
    for (const delivery of await deps.deliveries(endpoint, LOOKED_AT)) {
      if (isStopped || !states.mayStart(to)) return;
      const isSent = wereSending.has(delivery.id) || to.sending.has(delivery.id);
      const waitsForPet = delivery.attempt === 0 && delivery.petId !== null && to.pets.has(delivery.petId);
      if (!isSent && !waitsForPet) start(endpoint, to, delivery);
    }
  };

  /** Says whether there was anything to do. */
  const dispatchDue = async (storeId: bigint | undefined): Promise<boolean> => {
    const isBehind = await deps.fanOut(storeId);
    if (isBehind) wake(storeId);
    const due = await deps.endpoints(storeId);
    const endpoints = due
      .filter((endpoint) => states.mayStart(stateOf(endpoint)))
      .sort((a, b) => stateOf(a).turn - stateOf(b).turn);
    for (let done = 0; done < endpoints.length && !isStopped; done += ENDPOINTS_AT_ONCE) {
      if (done > 0) await turnOfTheLoop();
      const some = endpoints.slice(done, done + ENDPOINTS_AT_ONCE);
      await Promise.all(some.map((endpoint) => sendTo(endpoint).catch(deps.failed)));
    }
    return isBehind || due.length > 0;
  };

  const dispatchUnlessBroken = async (storeId: bigint | undefined): Promise<boolean> => {
    try {
      return await dispatchDue(storeId);
    } catch (error) {
      deps.failed(error);
      return false;
    }
  };

  /** What was woken since the last look. All stores include each. */
  const takeWoken = (): (bigint | undefined)[] => {
    const woken = isAllWoken ? [undefined] : [...wokenStores];
    isAllWoken = false;
    wokenStores.clear();
    return woken;
  };

  const run = async (): Promise<void> => {
    while (!isStopped && (isAllWoken || wokenStores.size > 0)) {
      // The commits of one turn are looked at together.
      await turnOfTheLoop();
      let isBusy = false;
      for (const storeId of takeWoken()) {
        if (storeId === undefined) states.forget();
        if (await dispatchUnlessBroken(storeId)) isBusy = true;
      }
      // Most stores have no webhook: what is written there again and again is not looked at after every commit.
      if (!isBusy && !isStopped) await deps.pause();
    }
    // In the same breath as the last check: whoever wakes it from here on starts a new run.
    running = undefined;
  };

  /** Looks for something to send, in one store or in all, now or as soon as the look under way is done. */
  const wake = (storeId?: bigint): void => {
    if (isStopped) return;
    if (storeId === undefined) isAllWoken = true;
    else wokenStores.add(storeId);
    running ??= run();
  };

  return {
    wake,
    /** Starts nothing more. */
    stop: () => {
      isStopped = true;
    },
    /** Waits until nothing is being sent; what is due stays due. */
    async idle(): Promise<void> {
      while (running || underWay.size > 0) await Promise.all([running, ...underWay]);
    },
  };
};
