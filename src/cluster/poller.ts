import type { Elapsed } from '../kernel/runtime.ts';
import type { Changes, Question } from './changes.ts';

export const POLL_MS = 250;
/** An instance that serves no requests and no streams polls at this interval, in ms. */
export const IDLE_POLL_MS = 1000;
/** How long caches are trusted after a poll begins, in ms. The sum of this and `POLL_MS` is less than one second. */
const TRUSTED_MS = 700;
/** If a poll takes longer than this, in ms, its estimate of the database's clock is too imprecise and is not used. */
const PROMPT_MS = 50;

type Deps = {
  read(question: Question): Promise<Changes>;
  elapsed: Elapsed;
  /** Stores with open streams. */
  storeIds(): readonly bigint[];
  /** The time at which work must be due; undefined if this instance is not the leader. */
  workAt(): number | undefined;
  /** `storeIds` are the stores with new events. */
  apply(changes: Changes, storeIds: readonly bigint[]): void;
};

/**
 * Polls the database for changes by other instances. Polling needs no dedicated connection, and no change is missed
 * after an outage.
 */
export const createPoller = ({ read, elapsed, storeIds, workAt, apply }: Deps) => {
  let keyChanges: bigint | undefined;
  let sequences: Changes['sequences'] = new Map();
  let heardAt = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  let isUsed = false;

  const poll = async (): Promise<void> => {
    const askedAt = elapsed();
    const watched = storeIds();
    isUsed = false;
    const changes = await read({ keyChanges, storeIds: watched, workAt: workAt() });
    const tripMs = elapsed() - askedAt;
    // Assumes that the server answered halfway through the round trip.
    if (keyChanges === undefined || tripMs < PROMPT_MS) aheadMs = changes.now - (askedAt + tripMs / 2);
    keyChanges = changes.keyChanges;
    const before = sequences;
    sequences = changes.sequences;
    apply(
      changes,
      watched.filter((storeId) => sequences.get(storeId) !== before.get(storeId)),
    );
    heardAt = askedAt;
  };

  return {
    poll,
    /** Polls if requests used a cache since the last poll, or if streams are open. */
    async pollIfUsed(): Promise<void> {
      if (isUsed || storeIds().length > 0) await poll();
    },
    isCurrent(): boolean {
      isUsed = true;
      return elapsed() - heardAt < TRUSTED_MS;
    },
    /** Estimates the database's time. With this machine's clock, a term could end early if someone set the clock. */
    clock: () => Math.round(elapsed() + aheadMs),
  };
};
