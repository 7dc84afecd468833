import { Failure } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import type { Resets } from './finish-resets.ts';
import { resetSandboxContract } from './sandbox.contracts.ts';

/** The server cuts a request off that takes longer than half a minute. */
const WAITED_MS = 25_000;

const stillRunning = () =>
  new Failure('unavailable', 'The reset is under way and goes on. Send the request again to be told when it is done.', {
    retryAfterSeconds: 5,
  });

/** From the commit on the reset comes to its end, whatever becomes of the caller or the process. */
export const resetSandbox = writes(
  resetSandboxContract,
  async ({ stores }: { stores: StoreRepository }, _, { storeId, keyId, requestId }) => {
    await stores.beginReset({ storeId, keyId, requestId });
    return {};
  },
  async ({ storeId }, { resets }: { resets: Pick<Resets, 'finish'> }) => {
    const tooLong = Promise.withResolvers<never>();
    const timer = setTimeout(() => tooLong.reject(stillRunning()), WAITED_MS);
    await Promise.race([resets.finish(storeId), tooLong.promise]).finally(() => clearTimeout(timer));
  },
);
