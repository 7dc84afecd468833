import { RateLimited, type RateLimits, type ResponseNote, type RetryNote } from '../../client/src/index.ts';
import { createValue } from './value.ts';

/** Why calls wait right now, as the requests of the key are used up or the service cannot be reached; or why none is answered. */
type Notice = { kind: 'limited'; until: number; message: string } | { kind: 'lost'; until: number } | { kind: 'ended' };

/** What holds calls up; undefined while nothing does. */
export const notice = createValue<Notice | undefined>(undefined);

/** How the key stands. */
export const limits = createValue<RateLimits | undefined>(undefined);

export const noteRetry = ({ reason, waitMs }: RetryNote): void => {
  const until = Date.now() + waitMs;
  notice.set(
    reason instanceof RateLimited ? { kind: 'limited', until, message: reason.message } : { kind: 'lost', until },
  );
};

/** An answer ends what held calls up, unless it is a refusal of that kind itself. */
export const noteResponse = ({ status, path, limits: seen }: ResponseNote): void => {
  // These two have a window of their own, which is none of the key's.
  if (seen && path !== '/usage' && path !== '/keys/me') limits.set(seen);
  if (status === 401) notice.set({ kind: 'ended' });
  else if (status !== 429 && status < 500) notice.set(undefined);
};
