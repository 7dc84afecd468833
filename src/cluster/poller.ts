import type { Elapsed } from '../kernel/runtime.ts';
import type { Changes, Question } from './changes.ts';

export const POLL_MS = 250;
export const IDLE_POLL_MS = 1000;
/** Milliseconds that caches are trusted after a poll begins. Together with `POLL_MS`, this is less than one second. */
export const TRUSTED_MS = 700;
/** If a poll takes longer than this many milliseconds, its estimate of the database's clock is too imprecise to use. */
const PROMPT_MS = 50;

type Deps = {
  read(question: Question): Promise<Changes>;
  elapsed: Elapsed;
  storeIds(): readonly bigint[];
  workAt(): number | undefined;
  hasStandby?: boolean;
  /** `askedAt` is a time before the database was read. */
  apply(changes: Changes, storeIds: readonly bigint[], askedAt: number): void;
};

/**
 * Polls instead of listening for notifications. Polling needs no dedicated connection and misses no change after an
 * outage.
 */
export const createPoller = ({ read, elapsed, storeIds, workAt, hasStandby = false, apply }: Deps) => {
  let keyChanges: bigint | undefined;
  let sequences: Changes['sequences'] = new Map();
  let heardAt = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  let isUsed = false;

  const poll = async (): Promise<void> => {
    const askedAt = elapsed();
    const watched = storeIds();
    isUsed = false;
    const changes = await read({ keyChanges, storeIds: watched, workAt: workAt(), hasStandby });
    const tripMs = elapsed() - askedAt;
    // Assumes that the database read its clock halfway through the round trip.
    if (keyChanges === undefined || tripMs < PROMPT_MS) aheadMs = changes.now - (askedAt + tripMs / 2);
    keyChanges = changes.keyChanges;
    const before = sequences;
    sequences = changes.sequences;
    apply(
      changes,
      watched.filter((storeId) => sequences.get(storeId) !== before.get(storeId)),
      askedAt,
    );
    heardAt = askedAt;
  };

  return {
    poll,
    async pollIfUsed(): Promise<void> {
      if (isUsed || storeIds().length > 0) await poll();
    },
    isCurrent(): boolean {
      isUsed = true;
      return elapsed() - heardAt < TRUSTED_MS;
    },
    /**
     * Estimates the database's clock. If an instance used its machine's clock, its term could end early when someone
     * sets that clock.
     */
    clock: () => Math.round(elapsed() + aheadMs),
  };
};
