/** Work that the leader looks for. */
export type Work = 'events' | 'orders' | 'resets' | 'webhooks';

export type Changes = {
  /** The time on the database's clock, in ms since 1970. */
  now: number;
  /** Counts the changes to keys so far. */
  keyChanges: bigint;
  keyIds: readonly string[];
  sequences: ReadonlyMap<bigint, bigint>;
  leader: { holder: string | null; until: number };
  /** Undefined if the question did not ask for work. */
  work: ReadonlySet<Work> | undefined;
};

export type Question = {
  /** Without a number, no key counts as changed. */
  keyChanges: bigint | undefined;
  storeIds: readonly bigint[];
  /** If set, looks for work that is due at this time. */
  workAt: number | undefined;
};
