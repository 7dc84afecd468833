import type { Failure } from '../../kernel/failure.ts';
import { isDamaged, storageFailure } from './connection.ts';
import { DamageFound } from './integrity/check.ts';

export const isDamage = (cause: unknown): boolean => cause instanceof DamageFound || isDamaged(cause);

export type Health = ReturnType<typeof createHealth>;

/**
 * Records whether the database file and its WAL can be trusted. After the first failure, `broke` is called, and nothing
 * is written until the next start. The process must not close the file, because that would run a checkpoint of a WAL
 * that may be damaged.
 */
export const createHealth = (broke: (cause: unknown) => void) => {
  const health = {
    failure: undefined as Failure | undefined,
    fail(cause: unknown): Failure {
      if (health.failure) return health.failure;
      // `broke` logs the cause once. The requests that fail because of it do not log it again.
      health.failure = storageFailure(cause, { isLogged: true });
      broke(cause);
      return health.failure;
    },
    /** Whether the file's content is damaged. False if only the disk failed or the file is missing. */
    isDamaged: (): boolean => isDamage(health.failure?.cause),
  };
  return health;
};
