import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Caller } from '../kernel/operation.ts';
import type { Verdict } from '../limits/window.ts';
import { retryAfterSeconds } from './limit-headers.ts';

/** The server joins repeated headers with a comma; no host has one. */
export const refuseTwoHosts = (host: string): void => {
  if (host.includes(',')) {
    throw new Failure('invalid_request', 'The request must have exactly one Host header.');
  }
};

/** Made once: under overload there is no time to collect a stack for every refusal. */
export const OVERLOADED = new Failure('unavailable', 'The service is overloaded. Try again in 1 second.', {
  retryAfterSeconds: 1,
});

const OVER_LIMIT = {
  minute: { code: 'rate_limit_exceeded', reason: 'The requests of this minute are used up.' },
  day: { code: 'daily_quota_exceeded', reason: 'The requests of this day are used up.' },
  ban: { code: 'api_key_banned', reason: 'The API key is banned for going on after its requests were used up.' },
} as const;

export const refuseOverLimit = ({ refused }: Verdict, now: number): void => {
  if (!refused) return;
  const { code, reason } = OVER_LIMIT[refused.by];
  const seconds = retryAfterSeconds(refused.until, now);
  throw new Failure(code, `${reason} Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds });
};

export const refuseRemoved = ({ id, deprecation }: Contract, now: number): void => {
  if (!deprecation || now < deprecation.sunset.getTime()) return;
  const day = deprecation.sunset.toISOString().slice(0, 10);
  throw new Failure('operation_removed', `${id} was removed on ${day}. Use ${deprecation.successor} instead.`);
};

export const refuseScope = ({ id, scope }: Contract, caller: Caller): void => {
  if (scope === 'any key' || caller.scopes.includes(scope)) return;
  throw new Failure('insufficient_scope', `${id} needs a key with the scope ${scope}.`);
};
