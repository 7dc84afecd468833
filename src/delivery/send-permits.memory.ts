import type { Clock } from '../kernel/clock.ts';
import type { DueDelivery, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { createDestinations, type Destination } from './hosts.memory.ts';
import { createEndpointStates, type EndpointState } from './schedule.ts';
import { createTurnTimer } from './turn-timer.memory.ts';

/** An endpoint with what is known of it and of its host. */
export type Target = { endpoint: DueEndpoint; state: EndpointState; destination: Destination };

type Deps = {
  clock: Clock;
  stopwatch(): number;
  isStopped(): boolean;
  wake(storeId?: bigint): void;
};

/** Who may start an attempt, by all that is under way: to the endpoint, to its host, in its store and in the process. */
export const createTurns = ({ clock, stopwatch, isStopped, wake }: Deps) => {
  const states = createEndpointStates(clock);
  const destinations = createDestinations(stopwatch);
  const timer = createTurnTimer({ next: destinations.nextTurns, wake, isStopped });
  let look = 0;

  /** An endpoint has as many places at its host as it leaves to others of its store: one that hangs does not take all. */
  const leavesEnough = ({ endpoint, state, destination }: Target): boolean =>
    state.sending.size === 0 || state.sending.size < destination.all.leftTo(endpoint.storeId);

  return {
    stop: timer.stop,

    /** A look at one store or at all begins; one at a time. */
    beginLook(storeId: bigint | undefined): void {
      look += 1;
      if (storeId !== undefined) return;
      states.forget();
      destinations.forget();
    },

    endLook(storeId: bigint | undefined): void {
      destinations.endLook(storeId, look);
      timer.arm();
    },

    targetOf: (endpoint: DueEndpoint): Target => ({
      endpoint,
      state: states.of(endpoint.storeId, endpoint.webhookId),
      destination: destinations.of(endpoint.url),
    }),

    /** Whether one may start now. If its host is what holds it up, its store is woken when its turn comes. */
    mayStart: (target: Target): boolean =>
      states.mayStart(target.state) &&
      leavesEnough(target) &&
      destinations.ask(target.destination.all, target.endpoint.storeId, look),

    /** Whether its host may be sent again what has failed. */
    mayRetry: ({ endpoint, destination }: Target): boolean =>
      destinations.ask(destination.retries, endpoint.storeId, look),

    /** Counts an attempt as under way; returns how to say what became of it. */
    begin({ endpoint, state, destination }: Target, { id, attempt, petId }: DueDelivery) {
      const { storeId } = endpoint;
      const isFirst = attempt === 0;
      const ended = states.begin(state, id, isFirst ? petId : null);
      const lanes = isFirst ? [destination.all] : [destination.all, destination.retries];
      const left = lanes.map((lane) => lane.begin(storeId));
      return (isDelivered: boolean): void => {
        const wasFull = states.isFull();
        ended(isDelivered);
        for (const leave of left) leave();
        // In a full process those of any store that have waited longest come next.
        wake(wasFull ? undefined : storeId);
      };
    },
  };
};
