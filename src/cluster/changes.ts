export type Work = 'events' | 'orders' | 'resets' | 'webhooks';

export type Changes = {
  /** Milliseconds since 1970 on the database's clock. */
  now: number;
  keyChanges: bigint;
  keyIds: readonly string[];
  sequences: ReadonlyMap<bigint, bigint>;
  leader: { holder: string | null; until: number };
  work: ReadonlySet<Work> | undefined;
  /**
   * The primary's log position, its system identifier and timeline, and whether all instances can record write times in
   * Redis.
   */
  standby?: { position: bigint; history: string; areWritesNoted: boolean } | undefined;
};

export type Question = {
  /** The count of key changes from the previous poll. Undefined in the first poll, which lists no changed keys. */
  keyChanges: bigint | undefined;
  storeIds: readonly bigint[];
  workAt: number | undefined;
  hasStandby?: boolean;
};
