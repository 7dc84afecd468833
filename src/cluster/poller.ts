import type { Elapsed } from '../kernel/runtime.ts';

export const POLL_MS = 250;
/** How long caches are trusted after a poll, in ms. Together with the poll interval, this stays below one second. */
const TRUSTED_MS = 700;
/** Polls that take longer than this, in ms, do not set the clock, because their estimate is too imprecise. */
const PROMPT_MS = 50;

/** Changes made by any instance in the cluster. */
export type Changes = {
  /** The database's clock. */
  now: number;
  /** Where the next poll starts. A change may be reported twice. */
  mark: string;
  /** Changed, banned or revoked keys. */
  keyIds: readonly string[];
  storeIds: readonly bigint[];
  /** Serving instances, including this one. */
  instances: number;
};

type Deps = {
  read(mark: string | undefined): Promise<Changes>;
  elapsed: Elapsed;
  apply(changes: Changes): void;
};

/**
 * Polls the database for changes by other instances. Polling needs no dedicated connection, and no change is missed
 * after an outage.
 */
export const createPoller = ({ read, elapsed, apply }: Deps) => {
  let mark: string | undefined;
  let heardAt = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;

  return {
    async poll(): Promise<void> {
      const askedAt = elapsed();
      const changes = await read(mark);
      const tripMs = elapsed() - askedAt;
      // Assumes that the server answered halfway through the round trip.
      if (mark === undefined || tripMs < PROMPT_MS) aheadMs = changes.now - (askedAt + tripMs / 2);
      mark = changes.mark;
      apply(changes);
      heardAt = askedAt;
    },
    /** Whether the last poll is recent enough to trust the caches. */
    isCurrent: () => elapsed() - heardAt < TRUSTED_MS,
    /** Estimates the database's clock. This machine's clock may be changed, which could end leases too early. */
    clock: () => Math.round(elapsed() + aheadMs),
  };
};
