export const ANSWER_KEPT_MS = 24 * 3_600_000;

/** Contains no secrets. */
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
  /** Claims the idempotency key until the transaction ends. Returns false if another instance has claimed the key. */
  claim(keyId: string, idempotencyKey: string): Promise<boolean>;
  keep(keyId: string, idempotencyKey: string, answer: KeptAnswer): Promise<void>;
};

export type KeptAnswers = {
  /** Deletes up to `most` answers that were stored at `before` or earlier. Returns the number deleted. */
  forget(before: number, most: number): Promise<number>;
};
