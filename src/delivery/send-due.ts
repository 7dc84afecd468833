import { type Clock, type Elapsed, nextTurn } from '../kernel/runtime.ts';
import { hiddenReason } from '../resources/webhooks/event-visibility.ts';
import type { DeliveryQueue, DueDelivery, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { createSchedule, type Target } from './schedule.ts';

// Maximum number of deliveries read at a time. This is more than can be sent to an endpoint at the same time, because
// some deliveries must wait for earlier deliveries.
const DELIVERIES_READ = 64;
const ENDPOINTS_PER_TURN = 16;
/** Maximum time per pass, in milliseconds, for updating the due times of stores that have no due deliveries. */
const SETTLING_MS = 200;
const SETTLED_TOGETHER = 8;

type HiddenDelivery = { delivery: DueDelivery; reason: string };

export type SendDeps = {
  clock: Clock;
  elapsed: Elapsed;
  queue: Pick<DeliveryQueue, 'dueStores' | 'endpoints' | 'deliveries'>;
  settle(storeId: bigint): Promise<void>;
  claim(endpoint: DueEndpoint, ids: readonly string[]): Promise<readonly string[]>;
  attempt(endpoint: DueEndpoint, delivery: DueDelivery, cutOff: AbortSignal): Promise<boolean>;
  giveUp(endpoint: DueEndpoint, hidden: readonly HiddenDelivery[]): Promise<void>;
  failed(error: unknown): void;
};

/** `isDelivered` is undefined if another instance is sending the delivery. */
type Begun = { delivery: DueDelivery; sent(): void; ended(isDelivered: boolean | undefined): void };

const toHidden = (delivery: DueDelivery): HiddenDelivery[] => {
  const reason = hiddenReason(delivery.event.type, delivery.scopes);
  return reason === undefined ? [] : [{ delivery, reason }];
};

const createAttempts = ({ claim, attempt, failed }: SendDeps) => {
  const underWay = new Set<Promise<void>>();
  const cutOff = new AbortController();

  const attemptClaimed = async (endpoint: DueEndpoint, one: Begun, claimed: Promise<readonly string[]>) => {
    const { delivery, sent, ended } = one;
    let isDelivered: boolean | undefined;
    try {
      if ((await claimed).includes(delivery.id)) {
        sent();
        isDelivered = await attempt(endpoint, delivery, cutOff.signal);
      }
    } catch (error) {
      isDelivered = false;
      failed(error);
    }
    ended(isDelivered);
  };

  return {
    underWay,
    cutOff: () => cutOff.abort(),

    attemptAll(endpoint: DueEndpoint, begun: readonly Begun[]): void {
      const ids = begun.map(({ delivery }) => delivery.id);
      const claimed = claim(endpoint, ids);
      for (const each of begun) {
        const attempted = attemptClaimed(endpoint, each, claimed).finally(() => underWay.delete(attempted));
        underWay.add(attempted);
      }
    },
  };
};

/** Leaves some idle stores for the next pass, because thousands of idle stores would delay other stores' attempts. */
const settleSome = async ({ elapsed, settle, failed }: SendDeps, idle: readonly bigint[]): Promise<void> => {
  const began = elapsed();
  for (let done = 0; done < idle.length && elapsed() - began < SETTLING_MS; done += SETTLED_TOGETHER) {
    await Promise.all(idle.slice(done, done + SETTLED_TOGETHER).map((storeId) => settle(storeId).catch(failed)));
  }
};

export const createSendDue = (deps: SendDeps, isStopped: () => boolean, wake: (storeId?: bigint) => void) => {
  const schedule = createSchedule({ ...deps, isStopped, wake });
  const { underWay, cutOff, attemptAll } = createAttempts(deps);

  const beginSome = (target: Target, due: readonly DueDelivery[], wereSending: ReadonlySet<string>): Begun[] => {
    const { sending, pets } = target.state;
    // These deliveries are already being sent, perhaps by another instance. Later events about the same pets must wait
    // for them.
    const taken = due.filter(({ id, isClaimed }) => isClaimed || wereSending.has(id) || sending.has(id));
    const takenIds = new Set(taken.map(({ id }) => id));
    const takenPets = new Set(taken.filter(({ attempt }) => attempt === 0).map(({ petId }) => petId));
    const begun: Begun[] = [];
    for (const delivery of due) {
      const { id, petId } = delivery;
      const isFirst = delivery.attempt === 0;
      if (takenIds.has(id)) continue;
      if (isFirst && petId !== null && (pets.has(petId) || takenPets.has(petId))) continue;
      if (!isFirst && !schedule.mayRetry(target)) continue;
      if (!schedule.mayStart(target)) break;
      begun.push({ delivery, ...schedule.begin(target, delivery) });
    }
    return begun;
  };

  const sendTo = async (target: Target): Promise<void> => {
    const { endpoint, state } = target;
    if (!schedule.mayStart(target)) return;
    // An attempt may end while the due deliveries are being read. `due` may then still contain the delivery that was
    // attempted, which must not be sent again.
    const wereSending = new Set(state.sending);
    const which = schedule.mayRetry(target) ? undefined : 'first attempts';
    const due = await deps.queue.deliveries(endpoint, deps.clock(), DELIVERIES_READ, which);
    const hidden = due.flatMap(toHidden);
    const visible = due.filter((delivery) => toHidden(delivery).length === 0);
    const begun = isStopped() ? [] : beginSome(target, visible, wereSending);
    if (begun.length > 0) attemptAll(endpoint, begun);
    if (hidden.length === 0) return;
    await deps.giveUp(endpoint, hidden);
    wake(endpoint.storeId);
  };

  /** Handles one endpoint at a time, so that no more deliveries are read once the host's limit has been reached. */
  const sendToHost = async (targets: readonly Target[]): Promise<void> => {
    for (const target of targets) await sendTo(target).catch(deps.failed);
  };

  const readDue = async (storeId: bigint | undefined): Promise<{ due: DueEndpoint[]; idle: bigint[] }> => {
    const now = deps.clock();
    if (storeId !== undefined) return { due: await deps.queue.endpoints(now, storeId), idle: [] };
    const stores = await deps.queue.dueStores(now);
    const due = stores.length === 0 ? [] : await deps.queue.endpoints(now);
    const busy = new Set(due.map((endpoint) => endpoint.storeId));
    return { due, idle: stores.filter((store) => !busy.has(store)) };
  };

  return {
    underWay,
    cutOff,
    stop: schedule.stop,

    async sendDue(storeId: bigint | undefined): Promise<boolean> {
      if (storeId === undefined) schedule.forgetUnused();
      const { due, idle } = await readDue(storeId);
      const targets = due
        .map(schedule.targetOf)
        .filter(schedule.mayStart)
        .sort((a, b) => a.state.lastStart - b.state.lastStart);
      for (let done = 0; done < targets.length && !isStopped(); done += ENDPOINTS_PER_TURN) {
        if (done > 0) await nextTurn();
        const byHost = Map.groupBy(targets.slice(done, done + ENDPOINTS_PER_TURN), ({ host }) => host);
        await Promise.all(byHost.values().map(sendToHost));
      }
      schedule.endPass(storeId);
      await settleSome(deps, idle);
      return due.length > 0;
    },
  };
};
