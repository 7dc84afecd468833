import type { MaybePromise } from '../kernel/runtime.ts';

export const ANSWER_KEPT_MS = 24 * 3_600_000;

/** A stored answer never contains secrets. */
export type KeptAnswer = {
  fingerprint: Uint8Array;
  body: string | null;
  version: bigint | null;
  location: string | null;
};

export type IdempotencyReads = { find(keyId: string, idempotencyKey: string): MaybePromise<KeptAnswer | undefined> };

export type IdempotencyRepository = IdempotencyReads & {
  /** The transaction rolls back and runs again if another instance has already stored an answer for this key. */
  keep(keyId: string, idempotencyKey: string, answer: KeptAnswer): MaybePromise<void>;
};

export type KeptAnswers = { forget(before: number, most: number): Promise<number> };
