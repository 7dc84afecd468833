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
  /** Claims the key until the transaction ends. Returns false if another instance has claimed it. */
  claim(keyId: string, idempotencyKey: string): Promise<boolean>;
  keep(keyId: string, idempotencyKey: string, answer: KeptAnswer): Promise<void>;
};

export type KeptAnswers = {
  forget(before: number, most: number): Promise<number>;
};
