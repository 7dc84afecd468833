import { wasNotSent } from './attempt.ts';
import { ConnectionLost, type PetstoreError, RateLimited, TimedOut, Unavailable } from './errors.ts';
import { isOfKey } from './limits.ts';
import type { Prepared } from './request.ts';

const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 8000;

/** Whether the service refused before it read the key: such a 503 shows the limits of the address, not of the key. */
const wasNotAdmitted = ({ code, limits }: PetstoreError): boolean =>
  code === 'unavailable' && limits !== undefined && !isOfKey(limits);

/** Whether the outcome is unknown: the service may have carried out the request. */
export const leavesDoubt = (error: PetstoreError): boolean =>
  (error instanceof ConnectionLost && !wasNotSent(error.cause)) ||
  error instanceof TimedOut ||
  // A commit that the storage did not confirm is a 503, too.
  (error instanceof Unavailable && !wasNotAdmitted(error));

/** Whether a second send has no further effect, thanks to an idempotency key, a precondition or the method. */
const isRepeatable = ({ method, headers }: Prepared): boolean => method !== 'PATCH' || headers.has('if-match');

/** Whether a retry may help and has no effect twice. */
export const mayRetry = (error: PetstoreError, request: Prepared): boolean => {
  if (error instanceof RateLimited || error.code === 'idempotency_in_progress') return true;
  if (error instanceof Unavailable || error instanceof ConnectionLost || error instanceof TimedOut) {
    return !leavesDoubt(error) || isRepeatable(request);
  }
  return false;
};

/**
 * How long to wait after failed attempt number `attempt`. Adds a random part of a doubling interval to the service's
 * own delay, so that clients do not all return at the same time. For rate limits, the service names the exact time.
 * `random` is in [0, 1).
 */
export const retryWait = (error: PetstoreError, attempt: number, random: number): number => {
  if (error instanceof RateLimited && error.retryAfterMs !== undefined) return error.retryAfterMs;
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return (error.retryAfterMs ?? 0) + random * backoff;
};

/** After an attempt in doubt: a missing row counts as deleted, because ids are never reused. */
export const isGoneBefore = (error: PetstoreError, { method }: Prepared): boolean =>
  method === 'DELETE' && error.code === 'not_found';

/** After an attempt in doubt: that attempt itself may have changed the row. */
export const judgeInDoubt = (error: PetstoreError, { method }: Prepared): PetstoreError => {
  if (method !== 'PATCH' || error.code !== 'precondition_failed') return error;
  const said =
    'the result of an attempt is unknown, and the resource now has a newer version, perhaps from this change; read the resource to find out';
  return new ConnectionLost(said, { code: 'connection_lost', cause: error });
};
