import { FIRST_STORE } from '../kernel/operation.ts';
import { createResets } from '../resources/sandbox/finish-resets.ts';
import type { Backend } from './backend.ts';

type Deps = Pick<Backend, 'database' | 'clock'> & { stopwatch(): number };

/** What puts sandboxes in order again, a few rows at a time, until the service is about to stop. */
export const composeResets = ({ database, clock, stopwatch }: Deps, isDraining: () => boolean) =>
  createResets({
    now: clock,
    resets: database.read(FIRST_STORE).resets,
    write: database.write,
    isStopped: isDraining,
    elapsed: stopwatch,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
