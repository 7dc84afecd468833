import type { Clock } from '../kernel/clock.ts';
import { createDestinations, type Destination } from './destinations.memory.ts';
import { createEndpointStates, type EndpointState } from './endpoint-states.memory.ts';
import type { Untold } from './give-up-deliveries.ts';
import { untoldReason } from './telling.ts';
import { createTurnTimer } from './turn-timer.memory.ts';
import { nextTurn } from './wake-loop.memory.ts';
import type { DeliveryQueue, DueDelivery, DueEndpoint } from './webhooks.repository.ts';

/** So many due deliveries of an endpoint are looked at to find some that may be sent. */
const LOOKED_AT = 64;
/** So many endpoints are looked at before others get a turn of the event loop. */
const ENDPOINTS_AT_ONCE = 16;

export type SendingDeps = {
  clock: Clock;
  /** Milliseconds that never go back: rates are not measured by a clock that is set. */
  stopwatch(): number;
  queue: Pick<DeliveryQueue, 'endpoints' | 'deliveries'>;
  leases: {
    /** Whether this instance alone sends to the endpoint, for as long as an attempt takes. */
    acquire(endpoint: DueEndpoint): Promise<boolean>;
    /** Lets other instances go on at once. */
    release(): Promise<void>;
  };
  /** Makes one attempt and keeps what it came to, unless it is cut off; says whether it was delivered. */
  attempt(endpoint: DueEndpoint, delivery: DueDelivery, cutOff: AbortSignal): Promise<boolean>;
  /** Ends deliveries that the endpoint is not to be told of. */
  giveUp(endpoint: DueEndpoint, untold: readonly Untold[]): Promise<void>;
  failed(error: unknown): void;
};

type Target = { endpoint: DueEndpoint; state: EndpointState; destination: Destination };

/**
 * Begins what is due, a few at a time to each endpoint, to each host and in each store, and first attempts for one animal
 * one after another.
 */
export const createSending = (deps: SendingDeps, isStopped: () => boolean, wake: (storeId?: bigint) => void) => {
  const states = createEndpointStates(deps.clock);
  const destinations = createDestinations(deps.stopwatch);
  const turns = createTurnTimer({ next: destinations.nextTurns, wake, isStopped });
  const underWay = new Set<Promise<void>>();
  const cutOff = new AbortController();
  let look = 0;

  const targetOf = (endpoint: DueEndpoint): Target => ({
    endpoint,
    state: states.of(endpoint.storeId, endpoint.webhookId),
    destination: destinations.of(endpoint.url),
  });

  const mayStart = ({ endpoint, state, destination }: Target): boolean =>
    states.mayStart(state) && destinations.ask(destination.all, endpoint.storeId, look);

  const mayRetry = ({ endpoint, destination }: Target): boolean =>
    destinations.ask(destination.retries, endpoint.storeId, look);

  const start = ({ endpoint, state, destination }: Target, delivery: DueDelivery): void => {
    const { storeId } = endpoint;
    const ended = states.begin(state, delivery.id, delivery.attempt === 0 ? delivery.petId : null);
    const left = [
      destination.all.begin(storeId),
      ...(delivery.attempt > 0 ? [destination.retries.begin(storeId)] : []),
    ];
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
        for (const leave of left) leave();
        underWay.delete(attempt);
        // In a full process those of any store that have waited longest come next.
        wake(wasFull ? undefined : storeId);
        turns.arm();
      });
    underWay.add(attempt);
  };

  const startSome = (target: Target, due: readonly DueDelivery[], wereSending: ReadonlySet<string>): void => {
    const { sending, pets } = target.state;
    for (const delivery of due) {
      if (isStopped()) return;
      const isFirst = delivery.attempt === 0;
      if (wereSending.has(delivery.id) || sending.has(delivery.id)) continue;
      if (isFirst && delivery.petId !== null && pets.has(delivery.petId)) continue;
      if (!isFirst && !mayRetry(target)) continue;
      if (!mayStart(target)) return;
      start(target, delivery);
    }
  };

  /** Ends what the endpoint is not to be told of, and returns the rest. */
  const giveUpUntold = async (endpoint: DueEndpoint, due: readonly DueDelivery[]): Promise<DueDelivery[]> => {
    const judged = due.map((delivery) => ({ delivery, why: untoldReason(delivery.event.type, endpoint.scopes) }));
    const untold = judged.filter((one): one is Untold => one.why !== undefined);
    if (untold.length > 0) {
      await deps.giveUp(endpoint, untold);
      // There may be more behind those that were looked at.
      wake(endpoint.storeId);
    }
    return judged.flatMap(({ delivery, why }) => (why === undefined ? [delivery] : []));
  };

  const sendTo = async (target: Target): Promise<void> => {
    const { endpoint, state } = target;
    if (!mayStart(target) || !(await deps.leases.acquire(endpoint))) return;
    // An attempt may end, and be kept, between the look at what is due and the choice: it must not be made twice.
    const wereSending = new Set(state.sending);
    const which = mayRetry(target) ? undefined : 'first attempts';
    const due = await deps.queue.deliveries(endpoint, deps.clock(), LOOKED_AT, which);
    startSome(target, await giveUpUntold(endpoint, due), wereSending);
  };

  return {
    underWay,
    cutOff: () => cutOff.abort(),
    stop: turns.stop,

    forget: states.forget,

    /** Says whether anything is due. Who has waited longest comes first. */
    async sendDue(storeId: bigint | undefined): Promise<boolean> {
      look += 1;
      if (storeId === undefined) destinations.forget();
      const due = await deps.queue.endpoints(deps.clock(), storeId);
      const targets = due
        .map(targetOf)
        .filter(mayStart)
        .sort((a, b) => a.state.turn - b.state.turn);
      for (let done = 0; done < targets.length && !isStopped(); done += ENDPOINTS_AT_ONCE) {
        if (done > 0) await nextTurn();
        const some = targets.slice(done, done + ENDPOINTS_AT_ONCE);
        await Promise.all(some.map((target) => sendTo(target).catch(deps.failed)));
      }
      destinations.endLook(storeId, look);
      turns.arm();
      return due.length > 0;
    },
  };
};
