export type Work = 'events' | 'orders' | 'resets' | 'webhooks';

export type Changes = {
  /** Milliseconds since 1970 on the database's clock. */
  now: number;
  keyChanges: bigint;
  keyIds: readonly string[];
  sequences: ReadonlyMap<bigint, bigint>;
  leader: { holder: string | null; until: number };
  work: ReadonlySet<Work> | undefined;
  /** The primary's log position, its system identifier and timeline, and whether every instance can reach Redis. */
  standby?: { position: bigint; history: string; areWritesNoted: boolean } | undefined;
};

export type Question = {
  /** The previous poll's `keyChanges`. If it is undefined, the answer lists no changed keys. */
  keyChanges: bigint | undefined;
  storeIds: readonly bigint[];
  workAt: number | undefined;
  hasStandby?: boolean;
};
