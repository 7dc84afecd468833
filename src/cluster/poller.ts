import type { Elapsed } from '../kernel/runtime.ts';

export const POLL_MS = 250;
/** More than a second, so that an idle Citus cluster runs at most one statement a second on each shard. */
export const IDLE_POLL_MS = 1100;
/** Cached keys are valid for this long after a poll, so that a revoked key stops working within a second. */
export const TRUSTED_MS = 700;
/** A poll that takes longer than this is not used to estimate the database's clock. */
const PROMPT_MS = 50;

export type Work = 'events' | 'orders' | 'resets' | 'webhooks';

export type Changes = {
  /** The current time on the database's clock, in milliseconds since 1970. */
  now: number;
  keyChanges: bigint;
  keyIds: readonly string[];
  sequences: ReadonlyMap<bigint, bigint>;
  leader: { holder: string | null; until: number };
  work: ReadonlySet<Work> | undefined;
  /**
   * `position` is the primary's WAL position, and `history` is its system identifier and timeline. `areWritesNoted` is
   * false while at least one instance cannot report its writes to Redis.
   */
  standby?: { position: bigint; history: string; areWritesNoted: boolean } | undefined;
};

export type Question = {
  /** The `keyChanges` value from the previous poll. Undefined in the first poll, which returns no changed keys. */
  keyChanges: bigint | undefined;
  storeIds: readonly bigint[];
  workAt: number | undefined;
};

type Deps = {
  read(question: Question): Promise<Changes>;
  elapsed: Elapsed;
  storeIds(): readonly bigint[];
  workAt(): number | undefined;
  apply(changes: Changes, storeIds: readonly bigint[], askedAt: number): void;
};

/** Polls the database instead of using LISTEN, which needs its own connection and misses changes during an outage. */
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
    /** Estimates the database's clock from monotonic time, so that changes to this machine's clock have no effect. */
    clock: () => Math.round(elapsed() + aheadMs),
  };
};
