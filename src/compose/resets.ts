import { FIRST_STORE } from '../kernel/operation.ts';
import { createResets } from '../sandbox/finish-resets.ts';
import type { Backend } from './backend.ts';

/** What puts sandboxes in order again, a few rows at a time, until the service is about to stop. */
export const composeResets = ({ database, clock }: Pick<Backend, 'database' | 'clock'>, isDraining: () => boolean) =>
  createResets({
    now: clock,
    resets: database.read(FIRST_STORE).resets,
    write: database.write,
    isStopped: isDraining,
    elapsed: () => performance.now(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
