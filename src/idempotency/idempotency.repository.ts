export const ANSWER_KEPT_MS = 24 * 3_600_000;

/** A stored answer. It contains no secrets. */
export type KeptAnswer = {
  /** Identifies the request. A different request with the same idempotency key is refused. */
  fingerprint: Uint8Array;
  body: string | null;
  version: bigint | null;
  location: string | null;
};

export type IdempotencyReads = {
  find(keyId: string, idempotencyKey: string): Promise<KeptAnswer | undefined>;
};

export type IdempotencyRepository = IdempotencyReads & {
  /** If another instance stores an answer for the same key first, the transaction is rolled back and runs again. */
  keep(keyId: string, idempotencyKey: string, answer: KeptAnswer): Promise<void>;
};

export type KeptAnswers = {
  forget(before: number, most: number): Promise<number>;
};
