import type { RateLimits, ResponseNote, RetryNote } from '../../client/src/index.ts';
import { RateLimited } from '../../client/src/index.ts';
import { createValue } from './value.ts';

/** Why calls wait right now, as the requests of the key are used up or the service cannot be reached; or why none is answered. */
type Notice = { kind: 'limited' | 'lost'; until: number; message: string } | { kind: 'ended' };

/** What holds calls up; undefined while nothing does. */
export const notice = createValue<Notice | undefined>(undefined);

/** How the key stands. */
export const limits = createValue<RateLimits | undefined>(undefined);

export const noteRetry = ({ reason, waitMs }: RetryNote): void =>
  notice.set({
    kind: reason instanceof RateLimited ? 'limited' : 'lost',
    until: Date.now() + waitMs,
    message: reason.message,
  });

/** An answer ends what held calls up, unless it is a refusal of that kind itself. */
export const noteResponse = ({ status, path, limits: seen }: ResponseNote): void => {
  // These two have a window of their own, which is none of the key's.
  if (seen && path !== '/usage' && path !== '/keys/me') limits.set(seen);
  if (status === 401) notice.set({ kind: 'ended' });
  else if (status !== 429 && status < 500) notice.set(undefined);
};
