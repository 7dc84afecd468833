import type { Failure } from '../../kernel/failure.ts';
import { isDamaged, storageFailure } from './connection.ts';
import { DamageFound } from './integrity/check.ts';

export const isDamage = (cause: unknown): boolean => cause instanceof DamageFound || isDamaged(cause);

export type Health = ReturnType<typeof createHealth>;

/**
 * After the first failure, nothing is written until the next start. The process must not close the file: closing it
 * runs a checkpoint, and the WAL may be damaged.
 */
export const createHealth = (broke: (cause: unknown) => void) => {
  const health = {
    failure: undefined as Failure | undefined,
    fail(cause: unknown): Failure {
      if (health.failure) return health.failure;
      health.failure = storageFailure(cause, { isLogged: true });
      broke(cause);
      return health.failure;
    },
    isDamaged: (): boolean => isDamage(health.failure?.cause),
  };
  return health;
};
