import type { Clock } from '../kernel/clock.ts';
import { untoldReason } from '../resources/webhooks/event-visibility.ts';
import type { DeliveryQueue, DueDelivery, DueEndpoint, Untold } from '../resources/webhooks/webhooks.repository.ts';
import { createTurns, type Target } from './send-permits.memory.ts';
import { nextTurn } from './wake-loop.memory.ts';

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

/** What may not be told at the moment, which is that of the look at what is due. */
const untold = (delivery: DueDelivery): Untold[] => {
  const why = untoldReason(delivery.event.type, delivery.scopes);
  return why === undefined ? [] : [{ delivery, why }];
};

const isTold = (delivery: DueDelivery): boolean => untold(delivery).length === 0;

/** One after another: what is due to an endpoint is not read once others have used up what its host gets. */
const sendInTurn = async (targets: readonly Target[], sendTo: (target: Target) => Promise<void>): Promise<void> => {
  for (const target of targets) await sendTo(target);
};

/**
 * Begins what is due, a few at a time to each endpoint, to each host and in each store, and first attempts for one animal
 * one after another.
 */
export const createSending = (deps: SendingDeps, isStopped: () => boolean, wake: (storeId?: bigint) => void) => {
  const turns = createTurns({ ...deps, isStopped, wake });
  const underWay = new Set<Promise<void>>();
  const cutOff = new AbortController();

  const start = (target: Target, delivery: DueDelivery): void => {
    const ended = turns.begin(target, delivery);
    const attempt = deps
      .attempt(target.endpoint, delivery, cutOff.signal)
      // A result that cannot be kept leaves the delivery due: counted as a failure, it is not sent again without end.
      .catch((error) => {
        deps.failed(error);
        return false;
      })
      .then((isDelivered) => {
        underWay.delete(attempt);
        ended(isDelivered);
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
      if (!isFirst && !turns.mayRetry(target)) continue;
      if (!turns.mayStart(target)) return;
      start(target, delivery);
    }
  };

  const giveUp = async (endpoint: DueEndpoint, untold: readonly Untold[]): Promise<void> => {
    if (untold.length === 0) return;
    await deps.giveUp(endpoint, untold);
    // There may be more behind those that were looked at.
    wake(endpoint.storeId);
  };

  const sendTo = async (target: Target): Promise<void> => {
    const { endpoint, state } = target;
    if (!turns.mayStart(target) || !(await deps.leases.acquire(endpoint))) return;
    // An attempt may end, and be kept, between the look at what is due and the choice: it must not be made twice.
    const wereSending = new Set(state.sending);
    const which = turns.mayRetry(target) ? undefined : 'first attempts';
    const due = await deps.queue.deliveries(endpoint, deps.clock(), LOOKED_AT, which);
    startSome(target, due.filter(isTold), wereSending);
    await giveUp(endpoint, due.flatMap(untold));
  };

  return {
    underWay,
    cutOff: () => cutOff.abort(),
    stop: turns.stop,

    /** Says whether anything is due. Who has waited longest comes first. */
    async sendDue(storeId: bigint | undefined): Promise<boolean> {
      turns.beginLook(storeId);
      const due = await deps.queue.endpoints(deps.clock(), storeId);
      const targets = due
        .map(turns.targetOf)
        .filter(turns.mayStart)
        .sort((a, b) => a.state.turn - b.state.turn);
      for (let done = 0; done < targets.length && !isStopped(); done += ENDPOINTS_AT_ONCE) {
        if (done > 0) await nextTurn();
        const some = targets.slice(done, done + ENDPOINTS_AT_ONCE);
        const hosts = Map.groupBy(some, ({ destination }) => destination);
        await Promise.all(hosts.values().map((those) => sendInTurn(those, (one) => sendTo(one).catch(deps.failed))));
      }
      turns.endLook(storeId);
      return due.length > 0;
    },
  };
};
