import { wasNotSent } from './attempt.ts';
import { ConnectionLost, type PetstoreError, RateLimited, TimedOut, Unavailable } from './errors.ts';
import { isOfKey } from './limits.ts';
import type { Prepared } from './request.ts';

const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 8000;

/**
 * If the service refuses a request before it reads the key, its 503 shows the rate limits of the caller's address, not
 * those of the key.
 */
const wasNotAdmitted = ({ code, limits }: PetstoreError): boolean =>
  code === 'unavailable' && limits !== undefined && !isOfKey(limits);

export const leavesDoubt = (error: PetstoreError): boolean =>
  (error instanceof ConnectionLost && !wasNotSent(error.cause)) ||
  error instanceof TimedOut ||
  // The service also responds with 503 if the storage did not confirm a commit.
  (error instanceof Unavailable && !wasNotAdmitted(error));

/** A POST always has an idempotency key. A PATCH is repeatable only with a precondition. */
const isRepeatable = ({ method, headers }: Prepared): boolean => method !== 'PATCH' || headers.has('if-match');

export const mayRetry = (error: PetstoreError, request: Prepared): boolean => {
  if (error instanceof RateLimited || error.code === 'idempotency_in_progress') return true;
  if (error instanceof Unavailable || error instanceof ConnectionLost || error instanceof TimedOut) {
    return !leavesDoubt(error) || isRepeatable(request);
  }
  return false;
};

/**
 * The result is in milliseconds, and `random` is in [0, 1). A random share of a doubling interval is added to the
 * service's delay, so that clients do not all retry at the same time. For rate limits, the service's delay is used
 * unchanged.
 */
export const retryWait = (error: PetstoreError, attempt: number, random: number): number => {
  if (error instanceof RateLimited && error.retryAfterMs !== undefined) return error.retryAfterMs;
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return (error.retryAfterMs ?? 0) + random * backoff;
};

/** After an attempt with an unknown outcome, "not found" means that the deletion succeeded: ids are never reused. */
export const isGoneBefore = (error: PetstoreError, { method }: Prepared): boolean =>
  method === 'DELETE' && error.code === 'not_found';

/** After an attempt with an unknown outcome, a newer version of the resource may come from that attempt itself. */
export const judgeInDoubt = (error: PetstoreError, { method }: Prepared): PetstoreError => {
  if (method !== 'PATCH' || error.code !== 'precondition_failed') return error;
  const said =
    'the result of an attempt is unknown, and the resource now has a newer version, perhaps from this change; read the resource to find out';
  return new ConnectionLost(said, { code: 'connection_lost', cause: error });
};
