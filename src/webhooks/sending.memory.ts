import type { Clock } from '../kernel/clock.ts';
import { createEndpointStates, type EndpointState } from './endpoint-states.memory.ts';
import { nextTurn } from './wake-loop.memory.ts';
import type { DeliveryQueue, DueDelivery, DueEndpoint } from './webhooks.repository.ts';

/** So many due deliveries of an endpoint are looked at to find some that may be sent. */
const LOOKED_AT = 64;
/** So many endpoints are looked at before others get a turn of the event loop. */
const ENDPOINTS_AT_ONCE = 16;

export type SendingDeps = {
  clock: Clock;
  queue: Pick<DeliveryQueue, 'endpoints' | 'deliveries'>;
  leases: {
    /** Whether this instance alone sends to the endpoint, for as long as an attempt takes. */
    acquire(endpoint: DueEndpoint): Promise<boolean>;
    /** Lets other instances go on at once. */
    release(): Promise<void>;
  };
  /** Makes one attempt and keeps what it came to, unless it is cut off; says whether it was delivered. */
  attempt(endpoint: DueEndpoint, delivery: DueDelivery, cutOff: AbortSignal): Promise<boolean>;
  failed(error: unknown): void;
};

/**
 * Begins what is due, a few at a time to each endpoint and in each store, and first attempts for one animal one after
 * another.
 */
export const createSending = (deps: SendingDeps, isStopped: () => boolean, wake: (storeId?: bigint) => void) => {
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
