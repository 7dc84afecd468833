/** Minimum time for which an answer is kept for a repeated request. */
export const ANSWER_KEPT_MS = 24 * 3_600_000;

/** The first answer to a request that may be sent again, with nothing secret in it. */
export type KeptAnswer = {
  /** What was asked: another request with the same key is refused. */
  fingerprint: Uint8Array;
  body: string | null;
  version: bigint | null;
  location: string | null;
};

export type IdempotencyReads = {
  find(keyId: string, idempotencyKey: string): Promise<KeptAnswer | undefined>;
};

/** The answers that one store keeps for its callers, by API key and idempotency key. */
export type IdempotencyRepository = IdempotencyReads & {
  /** Takes the idempotency key until the transaction ends; false if another instance is just serving a request with it. */
  claim(keyId: string, idempotencyKey: string): Promise<boolean>;
  keep(keyId: string, idempotencyKey: string, answer: KeptAnswer): Promise<void>;
};

/** Those of all stores together. */
export type KeptAnswers = {
  /** Deletes some of the answers kept since `before` or earlier, and returns how many. */
  forget(before: number, most: number): Promise<number>;
};
