/** Minimum time that an answer is kept for replay. */
export const ANSWER_KEPT_MS = 24 * 3_600_000;

/** The first answer to a request, without secrets. */
export type KeptAnswer = {
  /** Identifies the request: a different one with the same key is refused. */
  fingerprint: Uint8Array;
  body: string | null;
  version: bigint | null;
  location: string | null;
};

export type IdempotencyReads = {
  find(keyId: string, idempotencyKey: string): Promise<KeptAnswer | undefined>;
};

/** The kept answers of one store, by API key and idempotency key. */
export type IdempotencyRepository = IdempotencyReads & {
  /** Claims the idempotency key until the transaction ends; false if another instance serves a request with it. */
  claim(keyId: string, idempotencyKey: string): Promise<boolean>;
  keep(keyId: string, idempotencyKey: string, answer: KeptAnswer): Promise<void>;
};

export type KeptAnswers = {
  /** Deletes up to `most` answers kept at `before` or earlier. Returns how many. */
  forget(before: number, most: number): Promise<number>;
};
