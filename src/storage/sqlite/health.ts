import type { Failure } from '../../kernel/failure.ts';
import { storageFailure } from './connection.ts';

export type Health = ReturnType<typeof createHealth>;

/** After the first failure, nothing may be written until the service starts again. */
export const createHealth = (broke: (cause: unknown) => void) => {
  const health = {
    failure: undefined as Failure | undefined,
    fail(cause: unknown): Failure {
      if (health.failure) return health.failure;
      health.failure = storageFailure(cause, { isLogged: true });
      broke(cause);
      return health.failure;
    },
  };
  return health;
};
