import type { Changes } from './changes.ts';

/** How often the database is asked for changes. */
export const POLL_MS = 250;

/** So long after a poll what is remembered can be trusted: with the next poll it makes less than a second. */
const TRUSTED_MS = 700;

/** A poll that takes longer says too little of the time. */
const PROMPT_MS = 50;

type Deps = {
  read(mark: string | undefined): Promise<Changes>;
  /** Milliseconds of a clock that nobody sets. */
  stopwatch(): number;
  apply(changes: Changes): void;
};

/**
 * Asks the database again and again what other instances have done. Asking needs nothing but the connections there are,
 * and misses nothing when they were lost for a while.
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
      // The answer was made about halfway between the question and now; of a long trip nobody knows where.
      if (mark === undefined || tripMs < PROMPT_MS) aheadMs = changes.now - (askedAt + tripMs / 2);
      mark = changes.mark;
      apply(changes);
      heardAt = askedAt;
    },
    /** Whether all that was done elsewhere until a moment ago has been heard. */
    isCurrent: () => stopwatch() - heardAt < TRUSTED_MS,
    /**
     * The clock of the database, as well as it can be known without asking. It does not follow this machine's: one that is
     * set would take leases of others before they end.
     */
    clock: () => Math.round(stopwatch() + aheadMs),
  };
};
