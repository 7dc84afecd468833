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
