import { type Counts, createCounts } from '../kernel/counts.ts';
import type { Clock, Elapsed } from '../kernel/runtime.ts';
import type { DueDelivery, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { createHostBudget, type HostBudget, hostAndPort } from './host-budget.ts';

/** Maximum number of running attempts. Bun runs at most 256 outgoing requests at a time and queues the rest. */
const PER_PROCESS = 230;
/** Once this many attempts are running, the remaining slots are reserved for stores without a running attempt. */
const PER_PROCESS_SHARED = 190;
// For each shared slot that is free, a store may have up to this many running attempts. If only one store is sending,
// it can run 127 attempts.
const TIMES_FREE = 2;
/** While fewer than this many attempts are running, no store can have used up its share of the slots. */
const MIN_TO_WAIT = Math.floor((PER_PROCESS_SHARED * TIMES_FREE) / (TIMES_FREE + 1));
// While a store has at least this many running attempts, it may start another attempt only for an endpoint that has no
// running attempt. This way, up to 100 endpoints of the store can receive deliveries at the same time.
const PER_STORE_SHARED = 24;
const PER_ENDPOINT = 8;
const PER_HOST = { perSecond: 20, atOnce: 32 };
const RETRIES_PER_HOST = { perSecond: 5, atOnce: 4 };

const SHORTEST_TIMER_MS = 10;

// After this many failures in a row, an endpoint is paused. After the pause, only one attempt may run at a time, until
// an attempt succeeds.
const FAILURES_TO_PAUSE = 5;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const REMEMBERED_MS = 10 * 60_000;

const newState = (now: number) => ({
  sending: new Set<string>(),
  pets: new Set<bigint>(),
  failuresInRow: 0,
  pausesInRow: 0,
  pausedUntil: 0,
  usedAt: now,
  /**
   * The number of the endpoint's last attempt. Attempts in this process are numbered in order, so the endpoint with
   * the lowest number has waited longest.
   */
  lastStart: 0,
});

type EndpointState = ReturnType<typeof newState>;

const isFailing = ({ failuresInRow }: EndpointState): boolean => failuresInRow >= FAILURES_TO_PAUSE;

/** If a pause ends more than `LONGEST_PAUSE_MS` from now, the clock has been set back, and the pause is ignored. */
const isPaused = ({ pausedUntil }: EndpointState, now: number): boolean =>
  now < pausedUntil && pausedUntil <= now + LONGEST_PAUSE_MS;

const isUnused = ({ sending, usedAt }: EndpointState, now: number): boolean =>
  sending.size === 0 && now - usedAt > REMEMBERED_MS;

const noteResult = (state: EndpointState, isDelivered: boolean, now: number): void => {
  state.usedAt = now;
  if (isDelivered) Object.assign(state, { failuresInRow: 0, pausesInRow: 0, pausedUntil: 0 });
  else state.failuresInRow += 1;
  // If an attempt was already running when the pause began, its failure must not extend the pause.
  if (!isFailing(state) || isPaused(state, now)) return;
  state.pausedUntil = now + Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** state.pausesInRow);
  state.pausesInRow += 1;
};

type Host = { all: HostBudget; retries: HostBudget };

export type Target = { endpoint: DueEndpoint; state: EndpointState; host: Host };

const hasPlace = (running: Counts<bigint>, { endpoint: { storeId }, state, host }: Target): boolean => {
  const [inStore, inProcess] = [running.of(storeId), running.total()];
  const isFree = inStore === 0 ? inProcess < PER_PROCESS : inStore < TIMES_FREE * (PER_PROCESS_SHARED - inProcess);
  const { size } = state.sending;
  if (!isFree || size === 0) return isFree;
  // An endpoint that hangs must leave slots for the store's other endpoints on the same host.
  const leavesEnough = size < host.all.placesLeft(storeId);
  return leavesEnough && size < PER_ENDPOINT && inStore < PER_STORE_SHARED && !isFailing(state);
};

type Deps = { clock: Clock; elapsed: Elapsed; isStopped(): boolean; wake(storeId?: bigint): void };

const createWakeups = ({ isStopped, wake }: Pick<Deps, 'isStopped' | 'wake'>) => {
  const contended = new Set<HostBudget>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wakeNext = (): void => {
    clearTimeout(timer);
    if (isStopped()) return;
    let inMs = Number.POSITIVE_INFINITY;
    for (const budget of contended) {
      const next = budget.next();
      if (next?.inMs === 0) wake(next.storeId);
      else if (next) inMs = Math.min(inMs, next.inMs);
    }
    if (Number.isFinite(inMs)) timer = setTimeout(wakeNext, Math.max(SHORTEST_TIMER_MS, inMs));
  };

  return {
    stop: (): void => clearTimeout(timer),

    requestStart(budget: HostBudget, storeId: bigint): boolean {
      const isAllowed = budget.requestStart(storeId);
      if (!isAllowed) contended.add(budget);
      return isAllowed;
    },

    endPass(storeId: bigint | undefined): void {
      for (const budget of contended) if (!budget.endPass(storeId)) contended.delete(budget);
      wakeNext();
    },
  };
};

export const createSchedule = ({ clock, elapsed, isStopped, wake }: Deps) => {
  const { requestStart, endPass, stop } = createWakeups({ isStopped, wake });
  const states = new Map<string, EndpointState>();
  const hosts = new Map<string, Host>();
  const running = createCounts<bigint>();
  let starts = 0;

  const newHost = (): Host => ({
    all: createHostBudget(PER_HOST, elapsed),
    retries: createHostBudget(RETRIES_PER_HOST, elapsed),
  });

  return {
    stop,
    endPass,

    /** Must be called before `targetOf`. Otherwise, a target could use an entry that this function has deleted. */
    forgetUnused(): void {
      for (const [name, state] of states) if (isUnused(state, clock())) states.delete(name);
      for (const [name, { all, retries }] of hosts) if (all.isIdle() && retries.isIdle()) hosts.delete(name);
    },

    targetOf: (endpoint: DueEndpoint): Target => ({
      endpoint,
      state: states.getOrInsertComputed(`${endpoint.storeId}/${endpoint.webhookId}`, () => newState(clock())),
      host: hosts.getOrInsertComputed(hostAndPort(endpoint.url), newHost),
    }),

    mayStart: (target: Target): boolean =>
      !isPaused(target.state, clock()) &&
      hasPlace(running, target) &&
      requestStart(target.host.all, target.endpoint.storeId),

    mayRetry: ({ endpoint, host }: Target): boolean => requestStart(host.retries, endpoint.storeId),

    begin({ endpoint: { storeId }, state, host }: Target, { id, attempt, petId }: DueDelivery) {
      const isFirst = attempt === 0;
      const budgets = isFirst ? [host.all] : [host.all, host.retries];
      starts += 1;
      state.lastStart = starts;
      state.sending.add(id);
      if (isFirst && petId !== null) state.pets.add(petId);
      running.add(storeId, 1);
      const noteSent = budgets.map((budget) => budget.begin(storeId));

      const ended = (isDelivered: boolean | undefined): void => {
        const wasFull = running.total() >= MIN_TO_WAIT;
        state.sending.delete(id);
        if (isFirst && petId !== null) state.pets.delete(petId);
        running.add(storeId, -1);
        for (const budget of budgets) budget.end(storeId);
        if (isDelivered !== undefined) noteResult(state, isDelivered, clock());
        // If many attempts were running, any store may be waiting for this slot, so all stores are searched for the
        // endpoint that has waited longest.
        wake(wasFull ? undefined : storeId);
      };
      const sent = (): void => {
        for (const note of noteSent) note();
      };
      return { sent, ended };
    },
  };
};
