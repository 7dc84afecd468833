import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Caller } from '../kernel/operation.ts';

/** The server joins repeated headers with a comma; no host has one. */
export const hasTwoHosts = (host: string): boolean => host.includes(',');

/** Made once, like the next one: a flood of refusals must not capture a stack trace each. */
export const TWO_HOSTS = new Failure('invalid_request', 'The request must have exactly one Host header.', {
  faults: [{ header: 'Host', detail: 'must be given only once' }],
});

/** Made once: under overload there is no time to collect a stack for every refusal. */
export const OVERLOADED = new Failure('unavailable', 'The service is overloaded. Try again in 1 second.', {
  retryAfterSeconds: 1,
});

export const refuseRemoved = ({ id, deprecation }: Contract, now: number): void => {
  if (!deprecation || now < deprecation.sunset.getTime()) return;
  const day = deprecation.sunset.toISOString().slice(0, 10);
  throw new Failure('operation_removed', `${id} was removed on ${day}. Use ${deprecation.successor} instead.`);
};

export const refuseScope = ({ id, scope }: Pick<Contract, 'id' | 'scope'>, caller: Caller): void => {
  if (scope === 'any key' || caller.scopes.includes(scope)) return;
  throw new Failure('insufficient_scope', `${id} needs a key with the scope ${scope}.`);
};

/** What no window of the caller could ever hold is no matter of waiting. */
export const refuseUnpayable = (extra: number, { limits }: Caller): void => {
  const most = Math.min(limits.perMinute, limits.perDay);
  if (extra < most) return;
  throw new Failure(
    'invalid_request',
    `The request costs ${extra + 1} requests, and the key has ${most} at a time: send it in several parts.`,
  );
};
