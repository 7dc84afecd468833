import type { Clock } from '../kernel/clock.ts';

/** Bun keeps at most 256 requests open at a time; more would wait for those that get no answer. */
const PER_PROCESS = 230;
/** Beyond this a store gets no second attempt, so that no store waits for the endpoints of others. */
const PER_PROCESS_SHARED = 190;
/** A store may have so many times as many as it leaves free of those: 127 if it is alone, and the next one finds room. */
const TIMES_WHAT_IS_FREE = 2;
/** With fewer under way no store has met that bound. */
const FEWEST_TO_WAIT = Math.floor((PER_PROCESS_SHARED * TIMES_WHAT_IS_FREE) / (TIMES_WHAT_IS_FREE + 1));
/** Beyond this an endpoint gets no second attempt, so that there is one for each webhook that its store may have. */
const PER_STORE_SHARED = 24;
const PER_ENDPOINT = 8;
/** After so many failures in a row an endpoint is left alone for a while, then gets one attempt at a time. */
const FAILURES_TO_PAUSE = 5;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** What is known of an endpoint to which nothing was sent for so long is forgotten. */
const REMEMBERED_MS = 10 * 60_000;

export type EndpointState = {
  storeId: bigint;
  /** The deliveries that are being attempted. */
  sending: Set<string>;
  /** The animals whose first attempts are being made. */
  pets: Set<bigint>;
  /** In a row. */
  failures: number;
  /** In a row, each twice as long as the one before. */
  pauses: number;
  pausedUntil: number;
  usedAt: number;
  /** Rises with each attempt of the process: the endpoint with the lowest has waited longest. */
  turn: number;
};

/** A pause longer than the maximum began before the clock was set back. */
const isPaused = ({ pausedUntil }: EndpointState, now: number): boolean =>
  now < pausedUntil && pausedUntil <= now + LONGEST_PAUSE_MS;

const noteSuccess = (to: EndpointState): void => void Object.assign(to, { failures: 0, pauses: 0, pausedUntil: 0 });

const noteFailure = (to: EndpointState, now: number): void => {
  to.failures += 1;
  // Failures of attempts that were under way when the pause began say nothing new.
  if (to.failures < FAILURES_TO_PAUSE || isPaused(to, now)) return;
  to.pausedUntil = now + Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** to.pauses);
  to.pauses += 1;
};

/** How many attempts are under way in the process, in each store and to each endpoint, and how each endpoint has worked. */
export const createEndpointStates = (clock: Clock) => {
  const known = new Map<string, EndpointState>();
  const openInStore = new Map<bigint, number>();
  let open = 0;
  let turns = 0;

  const count = (storeId: bigint, by: 1 | -1): void => {
    open += by;
    const inStore = (openInStore.get(storeId) ?? 0) + by;
    if (inStore === 0) openInStore.delete(storeId);
    else openInStore.set(storeId, inStore);
  };

  return {
    of(storeId: bigint, webhookId: string): EndpointState {
      const name = `${storeId}/${webhookId}`;
      const found = known.get(name);
      if (found) return found;
      const made: EndpointState = {
        storeId,
        sending: new Set(),
        pets: new Set(),
        failures: 0,
        pauses: 0,
        pausedUntil: 0,
        usedAt: clock(),
        turn: 0,
      };
      known.set(name, made);
      return made;
    },

    mayStart(to: EndpointState): boolean {
      const { storeId, sending, failures } = to;
      if (isPaused(to, clock())) return false;
      const inStore = openInStore.get(storeId) ?? 0;
      const isFree = inStore === 0 ? open < PER_PROCESS : inStore < TIMES_WHAT_IS_FREE * (PER_PROCESS_SHARED - open);
      if (!isFree) return false;
      if (sending.size === 0) return true;
      return failures < FAILURES_TO_PAUSE && sending.size < PER_ENDPOINT && inStore < PER_STORE_SHARED;
    },

    /** Whether stores may be waiting for one another. */
    isFull: (): boolean => open >= FEWEST_TO_WAIT,

    /** Counts an attempt as under way; returns how to say what became of it. */
    begin(to: EndpointState, deliveryId: string, petId: bigint | null) {
      turns += 1;
      to.turn = turns;
      to.sending.add(deliveryId);
      if (petId !== null) to.pets.add(petId);
      count(to.storeId, 1);
      return (isDelivered: boolean): void => {
        to.sending.delete(deliveryId);
        if (petId !== null) to.pets.delete(petId);
        count(to.storeId, -1);
        to.usedAt = clock();
        if (isDelivered) noteSuccess(to);
        else noteFailure(to, clock());
      };
    },

    /**
     * Forgets endpoints that have not been used for long: those that were deleted among them. Not during a look, which goes
     * on with those it has found: what it starts would be started again by the next.
     */
    forget(): void {
      for (const [name, { sending, usedAt }] of known) {
        if (sending.size === 0 && clock() - usedAt > REMEMBERED_MS) known.delete(name);
      }
    },
  };
};
