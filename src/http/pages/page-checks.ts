import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { type Limiter, refuseOverLimit } from '../../limits/limiter.ts';
import { missingPageSubject, pageSubject, type Subject } from '../../limits/policy.ts';
import type { Exchange } from '../context.ts';
import { createEntrance, type EntranceDeps } from '../entrance.ts';
import { networkOf } from '../input/client-address.ts';
import { createSpentAddresses } from '../overload/throttled-networks.ts';
import type { CheckDeps } from '../pipeline.ts';
import { hasTwoHosts } from '../refusals.ts';

/** A page outside `/v1`. */
export type Page = {
  show(exchange: Exchange): MaybePromise<Response>;
  /** A health check: reads count nowhere, and are logged when they fail or their status changes. */
  isFree?: true;
  /** Shown to callers with a valid key only. */
  needsKey?: true;
  /** The methods it accepts, if not GET and HEAD. */
  allow?: string;
  /** Whether the page exists, for paths with a variable part. */
  exists?(exchange: Exchange): MaybePromise<boolean>;
  /** Refuses a request with a status that the error codes do not have. */
  forbid?(exchange: Exchange): Response | undefined;
};

export type PageCheckDeps = EntranceDeps & {
  authenticate: CheckDeps['authenticate'];
  clock: Clock;
  pageLimiter: Pick<Limiter, 'take'>;
};

const READ = 'GET, HEAD';

export const allowOf = (page: Page | undefined): string => page?.allow ?? READ;

const takes = (page: Page, { method }: Request): boolean => allowOf(page).split(', ').includes(method);

const missing = (path: string) =>
  new Failure('route_not_found', `There is no page ${path}. The API is below /v1, and its reference is at /docs.`);

const isUnauthorized = (error: unknown): boolean => error instanceof Failure && error.status === 401;

/**
 * The checks of a page in order: admission, one Host, the window of the key or address, then what is wrong with the request.
 * Requests with a valid key count against that key. Requests that are refused have their own window, so that one
 * stranger cannot use up the pages of everyone behind the same address.
 */
export const createPageChecks = (deps: PageCheckDeps) => {
  const { authenticate, clock, pageLimiter } = deps;
  const spent = createSpentAddresses(clock);

  const count = async ({ address, caller }: Exchange, subjectOf: (reader: string) => Subject): Promise<void> => {
    const network = networkOf(address);
    const verdict = await pageLimiter.take(subjectOf(caller?.keyId ?? network));
    if (!caller) spent.note(network, verdict);
    refuseOverLimit(verdict, clock());
  };

  /** Finds the caller, or returns why there is none. */
  const identify = async (exchange: Exchange): Promise<unknown> => {
    const authorization = exchange.request.headers.get('authorization');
    try {
      exchange.caller = await authenticate(authorization, () => spent.has(networkOf(exchange.address)));
      return undefined;
    } catch (error) {
      return error;
    }
  };

  const findFault = async (exchange: Exchange, page: Page | undefined): Promise<Failure | Response | undefined> => {
    const { request, path } = exchange;
    if (!page) return missing(path);
    if (!takes(page, request)) {
      return new Failure('method_not_allowed', `${path} takes ${allowOf(page)}, not ${request.method}.`);
    }
    const forbidden = page.forbid?.(exchange);
    if (forbidden) return forbidden;
    return (await page.exists?.(exchange)) === false ? missing(path) : undefined;
  };

  const serve = async (exchange: Exchange, page: Page | undefined): Promise<Response> => {
    if (page?.isFree && takes(page, exchange.request)) return page.show(exchange);
    const isAsked = page?.needsKey || exchange.request.headers.has('authorization');
    const unidentified = isAsked ? await identify(exchange) : undefined;
    const fault = await findFault(exchange, page);
    // A key that could not be looked up is neither valid nor invalid: the request counts nowhere.
    if (page?.needsKey && !fault && unidentified && !isUnauthorized(unidentified)) throw unidentified;
    const refused = fault ?? (page?.needsKey ? unidentified : undefined);
    await count(exchange, refused ? missingPageSubject : pageSubject);
    if (refused instanceof Response) return refused;
    if (refused || !page) throw refused;
    return page.show(exchange);
  };

  return createEntrance<Page, Response>(deps, {
    countAddress: (exchange) => count(exchange, missingPageSubject),
    isDelayed: ({ request, host }, page, { isKnown }) =>
      page !== undefined && takes(page, request) && !hasTwoHosts(host) && (!page.needsKey || isKnown),
    serve,
  });
};
