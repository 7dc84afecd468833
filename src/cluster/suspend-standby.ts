import { type Elapsed, shareRuns } from '../kernel/runtime.ts';
import { TRUSTED_MS } from './poller.ts';

const SUSPENDED_MS = 30_000;
const RENEWAL_MS = 15_000;
// If the current suspension has more than this many milliseconds left, a write that renews the suspension does not wait
// for the other instances to notice the renewal. No instance uses a standby before the current suspension ends. By
// then, the write has reached every standby that lags by less than five seconds. Standbys that lag more are never used.
const REPLAYED_MS = 10_000;

type Deps = { elapsed: Elapsed; pause(ms: number): Promise<unknown>; save(forMs: number): Promise<void> };

/**
 * An instance that cannot reach Redis cannot tell the other instances which API keys have sent writes. Before such an
 * instance answers its first write, it suspends the use of standbys for all instances, and waits until the other
 * instances have noticed the suspension.
 */
export const createSuspension = ({ elapsed, pause, save }: Deps) => {
  let endsAt = Number.NEGATIVE_INFINITY;

  return shareRuns(async (): Promise<void> => {
    const startedAt = elapsed();
    if (endsAt - startedAt > RENEWAL_MS) return;
    await save(SUSPENDED_MS);
    const isKnown = endsAt - elapsed() > REPLAYED_MS;
    endsAt = startedAt + SUSPENDED_MS;
    if (!isKnown) await pause(TRUSTED_MS);
  });
};
