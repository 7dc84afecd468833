import type { Clock } from '../kernel/clock.ts';

/** So many deliveries go to one endpoint at a time. */
const PER_ENDPOINT = 8;
/** After so many failures in a row an endpoint is left alone for a while, and for longer each time. */
const FAILURES_TO_PAUSE = 5;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Bun keeps at most 256 requests open at a time; whatever is beyond would wait for those that get no answer. */
const PER_PROCESS = 230;
/** The last ones go to stores that have none. */
const RESERVED = 40;
/** Of what is free besides those a store may take two thirds: 127 if it is alone, and the next one finds room. */
const SHARE_OF_FREE = 2;
/** Beyond this an endpoint gets no second one, so that there is one for each webhook that its store may have. */
const PER_STORE_SHARED = 24;
/** Endpoints that failed or were slow last may take no more than this of what their store has, and count for no other. */
const PER_STORE_TROUBLED = 20;
/** An attempt that is open for so long is slow. */
const SLOW_MS = 1000;
/** What is known of an endpoint to which nothing was sent for so long is forgotten. */
const REMEMBERED_MS = 10 * 60_000;

export type EndpointState = {
  storeId: bigint;
  /** The deliveries that are on their way. */
  sending: Set<string>;
  /** The animals whose first attempts are on their way. */
  pets: Set<bigint>;
  /** In a row. */
  failures: number;
  /** Whether that was so of the last attempt that ended or became so. */
  isSlow: boolean;
  /** In a row, each twice as long as the one before. */
  pauses: number;
  pausedUntil: number;
  usedAt: number;
  /** Rises with each attempt of the process: who has the lowest has waited longest. */
  turn: number;
};

type Attempt = { to: EndpointState; startedAt: number; isTroubled: boolean };
type Load = { open: number; troubled: number };

const NONE: Readonly<Load> = { open: 0, troubled: 0 };

/** What is on its way to each endpoint and in each store, and how well each endpoint has worked. */
export const createEndpointStates = (clock: Clock) => {
  const known = new Map<string, EndpointState>();
  const loads = new Map<bigint, Load>();
  /** Attempts that are not slow yet, the oldest first. */
  const fresh = new Set<Attempt>();
  let open = 0;
  let turns = 0;

  const add = (storeId: bigint, more: Load): void => {
    const load = loads.get(storeId) ?? NONE;
    const sum = { open: load.open + more.open, troubled: load.troubled + more.troubled };
    if (sum.open === 0) loads.delete(storeId);
    else loads.set(storeId, sum);
    open += more.open;
  };

  const noteSlow = (): void => {
    for (const attempt of fresh) {
      if (clock() - attempt.startedAt < SLOW_MS) return;
      fresh.delete(attempt);
      attempt.to.isSlow = true;
      if (attempt.isTroubled) continue;
      attempt.isTroubled = true;
      add(attempt.to.storeId, { open: 0, troubled: 1 });
    }
  };

  const hasPlace = (store: Load): boolean =>
    store.open === 0 ? open < PER_PROCESS : store.open < SHARE_OF_FREE * (PER_PROCESS - RESERVED - open);

  const isTroubled = ({ failures, isSlow }: EndpointState): boolean => failures > 0 || isSlow;

  const isFirstOrShares = ({ sending, failures }: EndpointState, store: Load): boolean =>
    sending.size === 0 ||
    (failures < FAILURES_TO_PAUSE && sending.size < PER_ENDPOINT && store.open - store.troubled < PER_STORE_SHARED);

  const mayStart = (to: EndpointState): boolean => {
    noteSlow();
    const store = loads.get(to.storeId) ?? NONE;
    return (
      clock() >= to.pausedUntil &&
      hasPlace(store) &&
      (!isTroubled(to) || store.troubled < PER_STORE_TROUBLED) &&
      isFirstOrShares(to, store)
    );
  };

  const noteFailure = (to: EndpointState): void => {
    to.failures += 1;
    // Failures of attempts that were under way when the pause began say nothing new.
    if (to.failures < FAILURES_TO_PAUSE || clock() < to.pausedUntil) return;
    to.pausedUntil = clock() + Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** to.pauses);
    to.pauses += 1;
  };

  const noteSuccess = (to: EndpointState): void => void Object.assign(to, { failures: 0, pauses: 0, pausedUntil: 0 });

  return {
    mayStart,

    to(storeId: bigint, webhookId: string): EndpointState {
      const name = `${storeId}/${webhookId}`;
      const found = known.get(name);
      if (found) return found;
      const made: EndpointState = {
        storeId,
        sending: new Set(),
        pets: new Set(),
        failures: 0,
        isSlow: false,
        pauses: 0,
        pausedUntil: 0,
        usedAt: clock(),
        turn: 0,
      };
      known.set(name, made);
      return made;
    },

    /** Counts an attempt as under way; returns how to say what became of it. */
    begin(to: EndpointState, deliveryId: string, petId: bigint | null) {
      const attempt: Attempt = { to, startedAt: clock(), isTroubled: isTroubled(to) };
      fresh.add(attempt);
      turns += 1;
      to.turn = turns;
      to.sending.add(deliveryId);
      if (petId !== null) to.pets.add(petId);
      add(to.storeId, { open: 1, troubled: attempt.isTroubled ? 1 : 0 });
      return (isDelivered: boolean): void => {
        noteSlow();
        to.isSlow = !fresh.delete(attempt);
        to.sending.delete(deliveryId);
        if (petId !== null) to.pets.delete(petId);
        add(to.storeId, { open: -1, troubled: attempt.isTroubled ? -1 : 0 });
        to.usedAt = clock();
        if (isDelivered) noteSuccess(to);
        else noteFailure(to);
      };
    },

    /** Forgets endpoints that have not been used for long: those that were deleted among them. */
    forget(): void {
      for (const [name, { sending, usedAt }] of known) {
        if (sending.size === 0 && clock() - usedAt > REMEMBERED_MS) known.delete(name);
      }
    },
  };
};
