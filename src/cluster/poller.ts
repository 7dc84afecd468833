import type { Elapsed } from '../kernel/runtime.ts';

export const POLL_MS = 250;
/** How long caches are trusted after a poll begins, in ms. The sum of this and `POLL_MS` is less than one second. */
const TRUSTED_MS = 700;
/** If a poll takes longer than this, in ms, its estimate of the database's clock is too imprecise and is not used. */
const PROMPT_MS = 50;

export type Changes = {
  /** The time on the database's clock, in ms since 1970. */
  now: number;
  /** Where the next poll starts. Two polls may report the same change. */
  mark: string;
  keyIds: readonly string[];
  storeIds: readonly bigint[];
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
    isCurrent: () => elapsed() - heardAt < TRUSTED_MS,
    /** Estimates the database's time. With this machine's clock, leases could end early if someone set the clock. */
    clock: () => Math.round(elapsed() + aheadMs),
  };
};
