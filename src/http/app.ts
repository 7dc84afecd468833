import type { BlockList } from 'node:net';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import { chain, type MaybePromise, tryChain } from '../kernel/maybe-promise.ts';
import type { Caller } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import type { Limiter } from '../limits/limiter.ts';
import { keySubject, type Subject, selfSubject, strangerSubject } from '../limits/policy.ts';
import type { Verdict } from '../limits/window.ts';
import { clientAddress, networkOf } from './client-address.ts';
import { createDeprecation } from './deprecation.ts';
import { addLimits } from './limit-headers.ts';
import { createBaseUrl } from './links.ts';
import type { Mounted } from './mount.ts';
import { refuseOverLimit, refuseOverload, refuseRemoved, refuseScope, refuseTwoHosts } from './refusals.ts';
import { asFailure, createApiEncode, encodePage, preflight, type Reply, refusal } from './reply.ts';
import type { RequestLog } from './request-log.ts';
import { isBelowV1, splitUrl } from './request-url.ts';
import { ALL_METHODS, createRoutes, type Route } from './routes.ts';

type Params = Record<string, string>;
export type Handler = (request: Request, params: Params, socket: string) => MaybePromise<Response>;

/** A page outside `/v1`: read by anyone, counted by nobody. */
export type Page = (request: Request) => MaybePromise<Response>;

export type App = {
  routes: ReadonlyMap<string, Handler>;
  fallback: Handler;
  /** The last resort, when a handler itself has failed. */
  crashed(error: unknown): Response;
};

type Deps = {
  operations: readonly Mounted[];
  pages: ReadonlyMap<string, Page>;
  authenticate(authorization: string | null): MaybePromise<Caller>;
  limiter: Limiter;
  clock: Clock;
  /** The instant by which deprecations are judged. */
  deprecationClock: Clock;
  randomText: RandomText;
  log: RequestLog;
  countUsage(request: { keyId: string; status: number; deprecatedOperation: string | undefined }): void;
  trusted: BlockList | undefined;
  /** Whether the service is about to stop: callers are told to open a new connection, which will lead elsewhere. */
  isDraining(): boolean;
  /** Whether more is waiting than can be served in good time. */
  isOverloaded(): boolean;
  publicUrl: string | undefined;
};

/** What is known of a request while it is served. */
type Exchange = {
  request: Request;
  params: Params;
  requestId: string;
  startedAt: number;
  path: string;
  queryText: string;
  host: string;
  address: string;
  base: string;
  operation: Mounted | undefined;
  caller: Caller | undefined;
  verdict: Verdict | undefined;
};

/** What any page takes. */
const PAGE: Route = { methods: new Map(), allow: 'GET, HEAD' };

export const createApp = (deps: Deps): App => {
  const { limiter, clock, log } = deps;
  const routes = createRoutes(deps.operations);
  const baseUrl = createBaseUrl(deps.publicUrl);
  const deprecations = new Map(deps.operations.map((operation) => [operation, createDeprecation(operation.contract)]));

  const open = (request: Request, params: Params, socket: string): Exchange => {
    const { path, queryText } = splitUrl(request.url);
    const host = request.headers.get('host') ?? '';
    const forwardedFor = deps.trusted ? request.headers.get('x-forwarded-for') : null;
    return {
      request,
      params,
      requestId: `req_${deps.randomText(24)}`,
      startedAt: performance.now(),
      path,
      queryText,
      host,
      address: clientAddress(socket, forwardedFor, deps.trusted),
      base: baseUrl(host),
      operation: undefined,
      caller: undefined,
      verdict: undefined,
    };
  };

  const admit = (exchange: Exchange, subject: Subject): MaybePromise<void> =>
    chain(limiter.take(subject), (verdict) => {
      exchange.verdict = verdict;
      refuseOverLimit(verdict, clock());
    });

  /** Those without a valid key are counted by their address before they are refused. */
  const refuseStranger = async (exchange: Exchange, error: unknown): Promise<never> => {
    if (error instanceof Failure && error.status === 401) {
      await admit(exchange, strangerSubject(networkOf(exchange.address)));
    }
    throw error;
  };

  const identify = (exchange: Exchange): MaybePromise<Caller> =>
    tryChain(
      () => deps.authenticate(exchange.request.headers.get('authorization')),
      (caller) => {
        exchange.caller = caller;
        return caller;
      },
      (error) => refuseStranger(exchange, error),
    );

  const perform = (exchange: Exchange, caller: Caller, route: Route | undefined): MaybePromise<Reply> => {
    const { request, path, operation } = exchange;
    if (!route) throw new Failure('route_not_found', `There is no path ${path}. The paths are listed at /docs.`);
    if (!operation) throw new Failure('method_not_allowed', `${path} takes ${route.allow}, not ${request.method}.`);
    refuseRemoved(operation.contract, deps.deprecationClock());
    refuseScope(operation.contract, caller);
    return operation.handle(exchange, caller);
  };

  /** The checks in the order the contract promises, then the operation. */
  const serve = (exchange: Exchange, route: Route | undefined): MaybePromise<Reply> => {
    const { request, host, operation } = exchange;
    refuseTwoHosts(host);
    refuseOverload(deps.isOverloaded());
    if (request.method === 'OPTIONS') return preflight(route?.allow ?? ALL_METHODS);
    return chain(identify(exchange), (caller) => {
      const subject = operation?.contract.meter === 'own' ? selfSubject(caller) : keySubject(caller);
      return chain(admit(exchange, subject), () => perform(exchange, caller, route));
    });
  };

  const refuse = (exchange: Exchange, error: unknown, route: Route | undefined): Reply => {
    const failure = asFailure(error, exchange.requestId);
    if (failure.cause !== undefined) log.failure(exchange.requestId, failure.cause);
    const reply = refusal(failure);
    if (failure.status === 405 && route) reply.headers.Allow = route.allow;
    return reply;
  };

  const finish = (exchange: Exchange, response: Response): Response => {
    const { request, requestId, path, address, startedAt, caller, operation } = exchange;
    if (deps.isDraining()) response.headers.set('Connection', 'close');
    log.request({
      requestId,
      method: request.method,
      path,
      status: response.status,
      durationMs: performance.now() - startedAt,
      operation: operation?.contract.id,
      keyId: caller?.keyId,
      address,
      callerRequestId: request.headers.get('x-request-id') ?? undefined,
    });
    if (caller) {
      const deprecatedOperation = operation?.contract.deprecation && operation.contract.id;
      deps.countUsage({ keyId: caller.keyId, status: response.status, deprecatedOperation });
    }
    return response;
  };

  const encodeRefusal = createApiEncode();
  const encoders = new Map(deps.operations.map((operation) => [operation, createApiEncode()]));

  const api =
    (route: Route | undefined): Handler =>
    (request, params, socket) => {
      const exchange = open(request, params, socket);
      const operation = route?.methods.get(request.method);
      exchange.operation = operation;
      const answer = (reply: Reply): MaybePromise<Response> => {
        if (operation) deprecations.get(operation)?.(reply.headers, exchange.base);
        // An answer that counts nowhere still shows the caller's address how it stands.
        const standing = exchange.verdict ?? limiter.peek(strangerSubject(networkOf(exchange.address)));
        return chain(standing, (verdict) => {
          addLimits(reply.headers, verdict, clock());
          const encode = (operation && reply.status < 400 && encoders.get(operation)) || encodeRefusal;
          return finish(exchange, encode(reply, exchange.requestId));
        });
      };
      return tryChain(
        () => serve(exchange, route),
        answer,
        (error) => answer(refuse(exchange, error, route)),
      );
    };

  const page =
    (show: Page | undefined): Handler =>
    async (request, params, socket) => {
      const exchange = open(request, params, socket);
      const { path, requestId } = exchange;
      try {
        refuseTwoHosts(exchange.host);
        if (!show) throw new Failure('route_not_found', `There is no page ${path}. The API is below /v1.`);
        if (request.method !== 'GET' && request.method !== 'HEAD') {
          throw new Failure('method_not_allowed', `${path} takes ${PAGE.allow}, not ${request.method}.`);
        }
        const response = await show(request);
        response.headers.set('X-Request-Id', requestId);
        return finish(exchange, response);
      } catch (error) {
        return finish(exchange, encodePage(refuse(exchange, error, PAGE), requestId));
      }
    };

  const unknown = page(undefined);
  const unknownBelowV1 = api(undefined);

  return {
    routes: new Map([
      ...[...routes].map(([path, route]): [string, Handler] => [path, api(route)]),
      ...[...deps.pages].map(([path, show]): [string, Handler] => [path, page(show)]),
    ]),
    fallback: (request, params, socket) =>
      isBelowV1(splitUrl(request.url).path)
        ? unknownBelowV1(request, params, socket)
        : unknown(request, params, socket),
    crashed: (error) => {
      const requestId = `req_${deps.randomText(24)}`;
      log.failure(requestId, error);
      return encodePage(refusal(asFailure(error, requestId)), requestId);
    },
  };
};
