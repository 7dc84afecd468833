import type { Failure } from '../../kernel/failure.ts';
import { isDamaged, storageFailure } from './connection.ts';
import { DamageFound } from './integrity/check.ts';

export const isDamage = (cause: unknown): boolean => cause instanceof DamageFound || isDamaged(cause);

export type Health = ReturnType<typeof createHealth>;

/**
 * Tracks whether the database file and its WAL can be relied on. After the first failure, `broke` is called, and
 * nothing is written until the next start. The process must not close the file, because closing it would checkpoint an
 * unverified WAL.
 */
export const createHealth = (broke: (cause: unknown) => void) => {
  const health = {
    failure: undefined as Failure | undefined,
    fail(cause: unknown): Failure {
      if (health.failure) return health.failure;
      // `broke` logs the cause once, so the affected requests do not log it again.
      health.failure = storageFailure(cause, { isLogged: true });
      broke(cause);
      return health.failure;
    },
    /** False after a disk failure, or if the file is missing. */
    isDamaged: (): boolean => isDamage(health.failure?.cause),
  };
  return health;
};
