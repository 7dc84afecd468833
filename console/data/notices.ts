import { RateLimited, type RateLimits, type ResponseNote, type RetryNote } from '../../client/src/index.ts';
import { createValue } from './value.ts';

/** `limited`: a rate limit delays requests. `lost`: the service is unreachable. `ended`: the key is no longer valid. */
type Notice = { kind: 'limited'; until: number; message: string } | { kind: 'lost'; until: number } | { kind: 'ended' };

export const notice = createValue<Notice | undefined>(undefined);

export const limits = createValue<RateLimits | undefined>(undefined);

export const noteRetry = ({ reason, waitMs }: RetryNote): void => {
  const until = Date.now() + waitMs;
  notice.set(
    reason instanceof RateLimited ? { kind: 'limited', until, message: reason.message } : { kind: 'lost', until },
  );
};

/** Updates the notice after a response. A 429 or 5xx response changes nothing here, because `noteRetry` reports it. */
export const noteResponse = ({ status, path, limits: seen }: ResponseNote): void => {
  // Requests to these two paths have a rate limit of their own.
  if (seen && path !== '/usage' && path !== '/keys/me') limits.set(seen);
  if (status === 401) notice.set({ kind: 'ended' });
  else if (status !== 429 && status < 500) notice.set(undefined);
};
