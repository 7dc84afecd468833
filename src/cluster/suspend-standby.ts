import type { Elapsed } from '../kernel/runtime.ts';
import { TRUSTED_MS } from './poller.ts';

const SUSPENDED_MS = 30_000;
/** A suspension is renewed once it has at most this many milliseconds left. */
const RENEWAL_MS = 15_000;
/** A usable standby receives every write within this many ms. A standby that lags over five seconds is not used. */
const REPLAYED_MS = 10_000;

type Deps = { elapsed: Elapsed; pause(ms: number): Promise<unknown>; save(forMs: number): Promise<void> };

/**
 * An instance that cannot reach Redis cannot tell the other instances which keys have written. So before it answers a
 * write, it makes all instances read from the primary. The other instances notice this at their next poll, so the first
 * such write waits until then.
 */
export const createSuspension = ({ elapsed, pause, save }: Deps) => {
  let endsAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  const suspend = async (): Promise<void> => {
    const startedAt = elapsed();
    await save(SUSPENDED_MS);
    const isKnown = endsAt - elapsed() > REPLAYED_MS;
    endsAt = startedAt + SUSPENDED_MS;
    if (!isKnown) await pause(TRUSTED_MS);
  };

  return async (): Promise<void> => {
    if (!running && endsAt - elapsed() > RENEWAL_MS) return;
    running ??= suspend().finally(() => {
      running = undefined;
    });
    await running;
  };
};
