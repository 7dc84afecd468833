import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import { chain, type MaybePromise, tryChain } from '../kernel/maybe-promise.ts';
import type { Caller } from '../kernel/operation.ts';
import { type Limiter, refuseOverLimit } from '../limits/limiter.ts';
import { keySubject, type Subject, selfSubject, strangerSubject } from '../limits/policy.ts';
import type { Exchange } from './context.ts';
import { createEntrance, type EntranceDeps } from './entrance.ts';
import { networkOf } from './input/client-address.ts';
import { createSpentAddresses } from './overload/throttled-networks.ts';
import { refuseRemoved, refuseScope, refuseUnpayable } from './refusals.ts';
import { preflight, type Reply } from './reply.ts';
import { ALL_METHODS, type Route } from './routes.ts';

export type CheckDeps = EntranceDeps & {
  authenticate(authorization: string | null, isSpent: () => boolean): MaybePromise<Caller>;
  limiter: Limiter;
  clock: Clock;
  /** The instant by which deprecations are judged. */
  deprecationClock: Clock;
};

/** The checks in the order that the contract promises, then the operation. */
export const createChecks = (deps: CheckDeps) => {
  const { authenticate, limiter, clock, deprecationClock } = deps;
  const spent = createSpentAddresses(clock);
  const admit = (exchange: Exchange, subject: Subject, cost = 1): MaybePromise<void> =>
    chain(limiter.take(subject, cost), (verdict) => {
      exchange.verdict = verdict;
      refuseOverLimit(verdict, clock());
    });

  const countAddress = async (exchange: Exchange): Promise<void> => {
    const network = networkOf(exchange.address);
    try {
      await admit(exchange, strangerSubject(network));
    } finally {
      spent.note(network, exchange.verdict);
    }
  };

  /** Counts callers without a valid key against their address before it refuses them. */
  const refuseStranger = async (exchange: Exchange, error: unknown): Promise<never> => {
    if (error instanceof Failure && error.status === 401) await countAddress(exchange);
    throw error;
  };

  const identify = (exchange: Exchange): MaybePromise<Caller> =>
    tryChain(
      () => authenticate(exchange.request.headers.get('authorization'), () => spent.has(networkOf(exchange.address))),
      (caller) => {
        exchange.caller = caller;
        return caller;
      },
      (error) => refuseStranger(exchange, error),
    );

  const callOperation = (exchange: Exchange, caller: Caller, route: Route | undefined): MaybePromise<Reply> => {
    const { request, path, operation } = exchange;
    if (!route) throw new Failure('route_not_found', `There is no path ${path}. The paths are listed at /docs.`);
    if (!operation) throw new Failure('method_not_allowed', `${path} takes ${route.allow}, not ${request.method}.`);
    refuseRemoved(operation.contract, deprecationClock());
    refuseScope(operation.contract, caller);
    if (operation.contract.batchOf === undefined) return operation.handle(exchange, caller);
    return operation.handle(exchange, caller, (requests) => {
      refuseUnpayable(requests, caller);
      return admit(exchange, keySubject(caller), requests);
    });
  };

  const serve = (exchange: Exchange, route: Route | undefined): MaybePromise<Reply> => {
    const { request, operation, hasOrigin } = exchange;
    if (request.method === 'OPTIONS') return preflight(route?.allow ?? ALL_METHODS, hasOrigin);
    return chain(identify(exchange), (caller) => {
      const subject = operation?.contract.meter === 'own' ? selfSubject(caller) : keySubject(caller);
      return chain(admit(exchange, subject), () => callOperation(exchange, caller, route));
    });
  };

  return createEntrance<Route, Reply>(deps, { countAddress, isDelayed: () => false, serve });
};
