import type { Clock } from '../kernel/clock.ts';

/** So many deliveries go to one endpoint at a time. */
const PER_ENDPOINT = 8;
/** After so many failures in a row an endpoint is left alone for a while, and for longer each time. */
const FAILURES_TO_PAUSE = 5;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Bun keeps at most 256 requests open at a time; whatever is beyond would wait for those that get no answer. */
const PER_PROCESS = 200;
/** Beyond this an endpoint gets no second one: so that many that hang leave one to each of the others. */
const PER_PROCESS_SHARED = 100;
/** Endpoints that failed last may take no more than this of it. */
const PER_PROCESS_FAILING = 100;
/** What is known of an endpoint to which nothing was sent for so long is forgotten. */
const REMEMBERED_MS = 10 * 60_000;

export type Traffic = {
  /** The deliveries that are on their way. */
  sending: Set<string>;
  /** The animals whose first attempts are on their way. */
  pets: Set<bigint>;
  /** In a row. */
  failures: number;
  /** In a row, each twice as long as the one before. */
  pauses: number;
  pausedUntil: number;
  usedAt: number;
};

/** What is on its way to each endpoint, and how well each has worked. */
export const createTraffic = (clock: Clock) => {
  const known = new Map<string, Traffic>();
  const open = { all: 0, failing: 0 };

  const isFirstOrShares = ({ sending, failures }: Traffic): boolean =>
    sending.size === 0 ||
    (failures < FAILURES_TO_PAUSE && sending.size < PER_ENDPOINT && open.all < PER_PROCESS_SHARED);

  const mayStart = (to: Traffic): boolean =>
    clock() >= to.pausedUntil &&
    open.all < PER_PROCESS &&
    (to.failures === 0 || open.failing < PER_PROCESS_FAILING) &&
    isFirstOrShares(to);

  const noteFailure = (to: Traffic): void => {
    to.failures += 1;
    // Failures of attempts that were under way when the pause began say nothing new.
    if (to.failures < FAILURES_TO_PAUSE || clock() < to.pausedUntil) return;
    to.pausedUntil = clock() + Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** to.pauses);
    to.pauses += 1;
  };

  const noteSuccess = (to: Traffic): void => void Object.assign(to, { failures: 0, pauses: 0, pausedUntil: 0 });

  return {
    mayStart,

    to(name: string): Traffic {
      const found = known.get(name);
      if (found) return found;
      const fresh = { sending: new Set<string>(), pets: new Set<bigint>(), failures: 0, pauses: 0 };
      const made = { ...fresh, pausedUntil: 0, usedAt: clock() };
      known.set(name, made);
      return made;
    },

    /** Counts an attempt as under way; returns how to say what became of it. */
    begin(to: Traffic, deliveryId: string, petId: bigint | null) {
      const isFailing = to.failures > 0;
      to.sending.add(deliveryId);
      if (petId !== null) to.pets.add(petId);
      open.all += 1;
      if (isFailing) open.failing += 1;
      return (isDelivered: boolean): void => {
        to.sending.delete(deliveryId);
        if (petId !== null) to.pets.delete(petId);
        open.all -= 1;
        if (isFailing) open.failing -= 1;
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
