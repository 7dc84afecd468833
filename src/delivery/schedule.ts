import type { Clock } from '../kernel/clock.ts';
import type { DueDelivery, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { createHostBudget, createOpenCounts, type HostBudget, hostAndPort, type OpenCounts } from './host-budget.ts';

/** Maximum attempts in the process. Bun keeps at most 256 requests open; others would queue behind unanswered ones. */
const PER_PROCESS = 230;
/** Above this, a store gets no second attempt, so that no store waits for the endpoints of others. */
const PER_PROCESS_SHARED = 190;
/** A store may use twice the shared places it leaves free: 127 for a lone store. */
const TIMES_FREE = 2;
/** Below this many attempts, no store has reached that bound. */
const FEWEST_TO_WAIT = Math.floor((PER_PROCESS_SHARED * TIMES_FREE) / (TIMES_FREE + 1));
/** Above this, an endpoint gets no second attempt, so that each of a store's 100 webhooks gets a first. */
const PER_STORE_SHARED = 24;
const PER_ENDPOINT = 8;
/** Shared by all webhooks with one host and port, across stores. */
const PER_HOST = { perSecond: 20, atOnce: 32 };
/** The share of it that retries may use. */
const RETRIES_PER_HOST = { perSecond: 5, atOnce: 4 };

/** Failures in a row after which an endpoint is paused, then gets one attempt at a time. */
const FAILURES_TO_PAUSE = 5;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** An endpoint unused for this long is forgotten, with its failures. */
const REMEMBERED_MS = 10 * 60_000;
const SHORTEST_TIMER_MS = 10;

type EndpointState = {
  /** Deliveries with a running attempt. */
  sending: Set<string>;
  /** Pets with a running first attempt. */
  pets: Set<bigint>;
  failuresInRow: number;
  pausesInRow: number;
  pausedUntil: number;
  usedAt: number;
  /** Number of the latest attempt in the process. The endpoint with the lowest has waited longest. */
  turn: number;
};

type Host = { all: HostBudget; retries: HostBudget };

export type Target = { endpoint: DueEndpoint; state: EndpointState; host: Host };

/** A pause longer than the maximum means that the clock was set back. */
const isPaused = ({ pausedUntil }: EndpointState, now: number): boolean =>
  now < pausedUntil && pausedUntil <= now + LONGEST_PAUSE_MS;

const noteResult = (state: EndpointState, isDelivered: boolean, now: number): void => {
  state.usedAt = now;
  if (isDelivered) Object.assign(state, { failuresInRow: 0, pausesInRow: 0, pausedUntil: 0 });
  else state.failuresInRow += 1;
  // Attempts that were running when the pause began do not extend it.
  if (state.failuresInRow < FAILURES_TO_PAUSE || isPaused(state, now)) return;
  state.pausedUntil = now + Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** state.pausesInRow);
  state.pausesInRow += 1;
};

const newState = (now: number): EndpointState => ({
  sending: new Set(),
  pets: new Set(),
  failuresInRow: 0,
  pausesInRow: 0,
  pausedUntil: 0,
  usedAt: now,
  turn: 0,
});

const getOrAdd = <Value>(entries: Map<string, Value>, name: string, make: () => Value): Value => {
  const value = entries.get(name) ?? make();
  entries.set(name, value);
  return value;
};

/** Whether the process, the store and the endpoint have room for another attempt. */
const hasPlace = (open: OpenCounts, { endpoint: { storeId }, state, host }: Target): boolean => {
  const inStore = open.inStore(storeId);
  const isFree =
    inStore === 0 ? open.total() < PER_PROCESS : inStore < TIMES_FREE * (PER_PROCESS_SHARED - open.total());
  const { size } = state.sending;
  if (!isFree || size === 0) return isFree;
  // An endpoint uses at most half of its store's places at the host, so that a hanging one does not take them all.
  const leavesEnough = size < host.all.leftTo(storeId);
  return leavesEnough && size < PER_ENDPOINT && inStore < PER_STORE_SHARED && state.failuresInRow < FAILURES_TO_PAUSE;
};

type Deps = {
  clock: Clock;
  stopwatch(): number;
  isStopped(): boolean;
  wake(storeId?: bigint): void;
};

/** Tracks endpoints and hosts in use, and the stores that wait for a host. */
const createTargets = ({ clock, stopwatch, isStopped, wake }: Deps) => {
  const states = new Map<string, EndpointState>();
  const hosts = new Map<string, Host>();
  const contended = new Set<HostBudget>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let look = 0;

  /** Runs only between looks: a look keeps using the entries it has found. */
  const forgetUnused = (): void => {
    for (const [name, { sending, usedAt }] of states) {
      if (sending.size === 0 && clock() - usedAt > REMEMBERED_MS) states.delete(name);
    }
    for (const [name, { all, retries }] of hosts) if (all.isIdle() && retries.isIdle()) hosts.delete(name);
  };

  /** Wakes the stores whose turn it is at a host, now and at each next turn. */
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

    /** Begins a look: one pass over the due deliveries of one store or of all. Looks never overlap. */
    beginLook(storeId: bigint | undefined): void {
      look += 1;
      if (storeId === undefined) forgetUnused();
    },

    endLook(storeId: bigint | undefined): void {
      for (const budget of contended) if (!budget.endLook(storeId, look)) contended.delete(budget);
      wakeNext();
    },

    targetOf: (endpoint: DueEndpoint): Target => ({
      endpoint,
      state: getOrAdd(states, `${endpoint.storeId}/${endpoint.webhookId}`, () => newState(clock())),
      host: getOrAdd(hosts, hostAndPort(endpoint.url), () => ({
        all: createHostBudget(PER_HOST, stopwatch),
        retries: createHostBudget(RETRIES_PER_HOST, stopwatch),
      })),
    }),

    /** Whether the budget allows a start now. If not, the store is woken on its turn. */
    ask(budget: HostBudget, storeId: bigint): boolean {
      const isFree = budget.ask(storeId, look);
      if (!isFree) contended.add(budget);
      return isFree;
    },
  };
};

/** Decides which attempts may start, from those running per endpoint, host, store and process. */
export const createSchedule = (deps: Deps) => {
  const { clock, wake } = deps;
  const { ask, ...targets } = createTargets(deps);
  const open = createOpenCounts();
  let turns = 0;

  return {
    ...targets,

    mayStart: (target: Target): boolean =>
      !isPaused(target.state, clock()) && hasPlace(open, target) && ask(target.host.all, target.endpoint.storeId),

    mayRetry: ({ endpoint, host }: Target): boolean => ask(host.retries, endpoint.storeId),

    /** Counts an attempt as running. Returns a function that takes its result. */
    begin({ endpoint: { storeId }, state, host }: Target, { id, attempt, petId }: DueDelivery) {
      const isFirst = attempt === 0;
      const budgets = isFirst ? [host.all] : [host.all, host.retries];
      turns += 1;
      state.turn = turns;
      state.sending.add(id);
      if (isFirst && petId !== null) state.pets.add(petId);
      open.add(storeId, 1);
      for (const budget of budgets) budget.begin(storeId);

      return (isDelivered: boolean): void => {
        const wasFull = open.total() >= FEWEST_TO_WAIT;
        state.sending.delete(id);
        if (isFirst && petId !== null) state.pets.delete(petId);
        open.add(storeId, -1);
        for (const budget of budgets) budget.end(storeId);
        noteResult(state, isDelivered, clock());
        // In a full process, the longest waiting endpoints of all stores come next.
        wake(wasFull ? undefined : storeId);
      };
    },
  };
};
