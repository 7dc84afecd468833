import type { Failure } from '../../kernel/failure.ts';
import { isDamaged, storageFailure } from './connection.ts';
import { DamageFound } from './integrity/check.ts';

export const isDamage = (cause: unknown): boolean => cause instanceof DamageFound || isDamaged(cause);

export type Health = ReturnType<typeof createHealth>;

/**
 * Whether the file and its log can be relied on. After the first failure, nothing is written until the next start, and
 * `broke` is called. The process must not close the file any more, because that checkpoints the log unread.
 */
export const createHealth = (broke: (cause: unknown) => void) => {
  const health = {
    /** What every request gets from now on. */
    failure: undefined as Failure | undefined,
    fail(cause: unknown): Failure {
      if (health.failure) return health.failure;
      // `broke` logs the cause once; the requests it stops do not.
      health.failure = storageFailure(cause, { isLogged: true });
      broke(cause);
      return health.failure;
    },
    /** Whether a page of the file is damaged, as opposed to a disk that failed or a file that is gone. */
    isDamaged: (): boolean => isDamage(health.failure?.cause),
  };
  return health;
};
