import { Failure } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import type { Resets } from './finish-resets.ts';
import { resetSandboxContract } from './sandbox.contracts.ts';

/** How long a request waits for the reset. After 30 s, the server would close the idle connection. */
const WAITED_MS = 25_000;

const STILL_RUNNING = 'The reset is still running and will finish on its own. Repeat the request to wait for it.';

/** After `beginReset` is committed, the reset finishes even if the client disconnects or the service stops. */
export const resetSandbox = writes(
  resetSandboxContract,
  async ({ stores }: { stores: StoreRepository }, _, { storeId, keyId, requestId }) => {
    await stores.beginReset({ storeId, keyId, requestId });
    return {};
  },
  async ({ storeId }, { resets }: { resets: Pick<Resets, 'finish'> }) => {
    const tooLong = Promise.withResolvers<never>();
    const stillRunning = new Failure('unavailable', STILL_RUNNING, { retryAfterSeconds: 5 });
    const timer = setTimeout(() => tooLong.reject(stillRunning), WAITED_MS);
    await Promise.race([resets.finish(storeId), tooLong.promise]).finally(() => clearTimeout(timer));
  },
);
