import type { Failure } from '../../kernel/failure.ts';
import { isDamaged, storageFailure } from './connection.ts';
import { DamageFound } from './integrity/check.ts';

export const isDamage = (cause: unknown): boolean => cause instanceof DamageFound || isDamaged(cause);

export type Health = ReturnType<typeof createHealth>;

/**
 * Whether the file and its log can be relied on. After the first failure, nothing is written until the next start, and
 * `broke` is called. From then on, the process must not close the file, because that would checkpoint an unverified
 * log.
 */
export const createHealth = (broke: (cause: unknown) => void) => {
  const health = {
    /** The failure that every request receives from now on. */
    failure: undefined as Failure | undefined,
    fail(cause: unknown): Failure {
      if (health.failure) return health.failure;
      // `broke` logs the cause once, so the affected requests do not log it again.
      health.failure = storageFailure(cause, { isLogged: true });
      broke(cause);
      return health.failure;
    },
    /** Whether a page of the file is damaged, as opposed to a failed disk or a missing file. */
    isDamaged: (): boolean => isDamage(health.failure?.cause),
  };
  return health;
};
