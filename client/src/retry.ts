import { wasNotSent } from './attempt.ts';
import { ConnectionLost, type PetstoreError, RateLimited, TimedOut, Unavailable } from './errors.ts';
import type { Prepared } from './request.ts';

const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 8000;

/** Nobody knows whether the service has done what it was asked for. */
export const leavesDoubt = (error: PetstoreError): boolean =>
  (error instanceof ConnectionLost && !wasNotSent(error.cause)) ||
  error instanceof TimedOut ||
  (error instanceof Unavailable && error.code !== 'unavailable');

/** Sent twice, it does no more than once: by its idempotency key, its precondition, or its nature. */
const isRepeatable = ({ method, headers }: Prepared): boolean => method !== 'PATCH' || headers.has('if-match');

/** Whether sending the request once more may help, and can do nothing twice. */
export const mayRetry = (error: PetstoreError, request: Prepared): boolean => {
  if (error instanceof RateLimited || error.code === 'idempotency_in_progress') return true;
  if (error instanceof Unavailable || error instanceof ConnectionLost || error instanceof TimedOut) {
    return !leavesDoubt(error) || isRepeatable(request);
  }
  return false;
};

/**
 * How long to wait after the failed attempt numbered `attempt`: what the service asks for, and beside it a random part of
 * a time that doubles, so that many clients do not come back in one moment. Where requests are used up the service has
 * named the instant itself. `random` is in [0, 1).
 */
export const retryWait = (error: PetstoreError, attempt: number, random: number): number => {
  if (error instanceof RateLimited && error.retryAfterMs !== undefined) return error.retryAfterMs;
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return (error.retryAfterMs ?? 0) + random * backoff;
};

/** After a lost answer: what was to be removed and is gone is removed, because ids are never used again. */
export const isGoneBefore = (error: PetstoreError, { method }: Prepared): boolean =>
  method === 'DELETE' && error.code === 'not_found';

/** After a lost answer: a row that has moved on may have moved by the lost attempt itself. */
export const judgeInDoubt = (error: PetstoreError, { method }: Prepared): PetstoreError => {
  if (method !== 'PATCH' || error.code !== 'precondition_failed') return error;
  const said = 'an answer was lost, and the row has a newer version since, perhaps by this very change: read it again';
  return new ConnectionLost(said, { code: 'connection_lost', cause: error });
};
