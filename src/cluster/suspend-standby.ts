import { type Elapsed, shareRuns } from '../kernel/runtime.ts';
import { TRUSTED_MS } from './poller.ts';

const SUSPENDED_MS = 30_000;
const RENEWAL_MS = 15_000;
/**
 * If a suspension lasts for at least this much longer, a write that renews it need not wait until others notice the
 * renewal. Standbys that lag more than five seconds are not used, so before the old suspension ends, every standby in
 * use has that write.
 */
const REPLAYED_MS = 10_000;

type Deps = { elapsed: Elapsed; pause(ms: number): Promise<unknown>; save(forMs: number): Promise<void> };

/**
 * If an instance cannot reach Redis, it cannot report which keys have written. Before such an instance answers its
 * first write, it suspends reads from standbys on all instances, and waits until they have noticed.
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
