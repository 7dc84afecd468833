import { RateLimited, type RateLimits, type ResponseNote, type RetryNote } from '../../client/src/index.ts';
import { createValue } from './value.ts';

/** Why calls are waiting (rate limit reached, service unreachable), or why all of them fail (key no longer valid). */
type Notice = { kind: 'limited'; until: number; message: string } | { kind: 'lost'; until: number } | { kind: 'ended' };

export const notice = createValue<Notice | undefined>(undefined);

/** The key's rate limits. */
export const limits = createValue<RateLimits | undefined>(undefined);

export const noteRetry = ({ reason, waitMs }: RetryNote): void => {
  const until = Date.now() + waitMs;
  notice.set(
    reason instanceof RateLimited ? { kind: 'limited', until, message: reason.message } : { kind: 'lost', until },
  );
};

/** Clears the notice on any response other than a refusal of the same kind. */
export const noteResponse = ({ status, path, limits: seen }: ResponseNote): void => {
  // These two paths have their own rate limit window.
  if (seen && path !== '/usage' && path !== '/keys/me') limits.set(seen);
  if (status === 401) notice.set({ kind: 'ended' });
  else if (status !== 429 && status < 500) notice.set(undefined);
};
