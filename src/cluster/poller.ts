/** How often the database is asked for changes. */
export const POLL_MS = 250;
/** How long after a poll caches can be trusted: together with the next poll less than a second. */
const TRUSTED_MS = 700;
/** Maximum duration of a poll that sets the clock. */
const PROMPT_MS = 50;

/** What any instance of the cluster has changed. */
export type Changes = {
  /** The clock of the database. */
  now: number;
  /** Where the next poll continues. A change may be reported twice. */
  mark: string;
  /** Keys that were changed, banned or revoked. */
  keyIds: readonly string[];
  /** Stores with new events. */
  storeIds: readonly bigint[];
  /** How many instances serve, including this one. */
  instances: number;
};

type Deps = {
  read(mark: string | undefined): Promise<Changes>;
  /** Milliseconds of a clock that nobody sets. */
  stopwatch(): number;
  apply(changes: Changes): void;
};

/**
 * Polls the database for changes by other instances. A poll needs no connection of its own, and misses nothing when
 * connections were lost for a while.
 */
export const createPoller = ({ read, stopwatch, apply }: Deps) => {
  let mark: string | undefined;
  let heardAt = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;

  return {
    async poll(): Promise<void> {
      const askedAt = stopwatch();
      const changes = await read(mark);
      const tripMs = stopwatch() - askedAt;
      // Assumes that the answer was made halfway, which is too inexact for a long trip.
      if (mark === undefined || tripMs < PROMPT_MS) aheadMs = changes.now - (askedAt + tripMs / 2);
      mark = changes.mark;
      apply(changes);
      heardAt = askedAt;
    },
    /** Whether all changes by other instances until a moment ago are known. */
    isCurrent: () => stopwatch() - heardAt < TRUSTED_MS,
    /** Estimates the database's clock. This machine's clock can be set, and would then take leases of others before they end. */
    clock: () => Math.round(stopwatch() + aheadMs),
  };
};
