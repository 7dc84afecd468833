import { wasNotSent } from './attempt.ts';
import { ConnectionLost, type PetstoreError, RateLimited, TimedOut, Unavailable } from './errors.ts';
import { isOfKey } from './limits.ts';
import type { Prepared } from './request.ts';

const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 8000;

/**
 * True if the service refused the request with a 503 before reading the key. Such a response contains the rate limits
 * of the caller's address instead of those of the key.
 */
const wasNotAdmitted = ({ code, limits }: PetstoreError): boolean =>
  code === 'unavailable' && limits !== undefined && !isOfKey(limits);

export const leavesDoubt = (error: PetstoreError): boolean =>
  (error instanceof ConnectionLost && !wasNotSent(error.cause)) ||
  error instanceof TimedOut ||
  // Any other 503 can mean that the database did not confirm a commit, so the change may have been made.
  (error instanceof Unavailable && !wasNotAdmitted(error));

/** A POST is safe to send twice, because it has an idempotency key. A PATCH is safe only with `If-Match`. */
const isRepeatable = ({ method, headers }: Prepared): boolean => method !== 'PATCH' || headers.has('if-match');

export const mayRetry = (error: PetstoreError, request: Prepared): boolean => {
  if (error instanceof RateLimited || error.code === 'idempotency_in_progress') return true;
  if (error instanceof Unavailable || error instanceof ConnectionLost || error instanceof TimedOut) {
    return !leavesDoubt(error) || isRepeatable(request);
  }
  return false;
};

/**
 * Returns how long to wait before the next attempt, in milliseconds. Adds a random part of the backoff to the delay
 * that the service requested, so that clients do not all retry at the same time. After a rate limit error, the client
 * waits exactly as long as the service asks.
 */
export const retryWait = (error: PetstoreError, attempt: number, random: number): number => {
  if (error instanceof RateLimited && error.retryAfterMs !== undefined) return error.retryAfterMs;
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return (error.retryAfterMs ?? 0) + random * backoff;
};

/**
 * If the response to a DELETE was lost and the next attempt gets `not_found`, the earlier attempt deleted the resource.
 * The next attempt cannot delete a different resource, because ids are never reused.
 */
export const isGoneBefore = (error: PetstoreError, { method }: Prepared): boolean =>
  method === 'DELETE' && error.code === 'not_found';

/**
 * If the response to a PATCH was lost and the next attempt fails its precondition, the earlier attempt may itself have
 * changed the version. The returned error says that the result is unknown.
 */
export const judgeInDoubt = (error: PetstoreError, { method }: Prepared): PetstoreError => {
  if (method !== 'PATCH' || error.code !== 'precondition_failed') return error;
  const said =
    'the result of an attempt is unknown, and the resource now has a newer version, perhaps from this change; read the resource to find out';
  return new ConnectionLost(said, { code: 'connection_lost', cause: error });
};
