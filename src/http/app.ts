import { chain, type MaybePromise, tryChain } from '../kernel/maybe-promise.ts';
import { strangerSubject } from '../limits/policy.ts';
import { createExchanges, type ExchangeDeps, type Params } from './context.ts';
import { createDeprecation } from './deprecation.ts';
import { createEnding, type EndingDeps, type Health } from './finish.ts';
import { networkOf } from './input/client-address.ts';
import { isBelowV1, splitUrl } from './input/request-url.ts';
import { addLimits } from './limit-headers.ts';
import type { Mounted } from './operation-handler.ts';
import { allowOf, createPageChecks, type Page, type PageCheckDeps } from './pages/page-checks.ts';
import { type CheckDeps, createChecks } from './pipeline.ts';
import { asFailure, createApiEncode, encodePage, type Reply, refusal } from './reply.ts';
import { createRoutes, type Route } from './routes.ts';

export type Handler = (request: Request, params: Params, socket: string) => MaybePromise<Response>;

export type App = {
  routes: ReadonlyMap<string, Handler>;
  fallback: Handler;
  /** The last resort, when a handler itself has failed. */
  crashed(error: unknown): Response;
};

type Deps = ExchangeDeps &
  CheckDeps &
  PageCheckDeps &
  EndingDeps & { operations: readonly Mounted[]; pages: ReadonlyMap<string, Page> };

type Parts = { open: ReturnType<typeof createExchanges> } & ReturnType<typeof createEnding>;

/** Below `/v1`: every answer shows how the caller stands with the limits. */
const createApi = ({ open, refuse, finish }: Parts, deps: Deps) => {
  const { operations, limiter, clock } = deps;
  const check = createChecks(deps);
  const deprecations = new Map(operations.map((operation) => [operation, createDeprecation(operation.contract)]));
  const encoders = new Map(operations.map((operation) => [operation, createApiEncode()]));
  const encodeRefusal = createApiEncode();

  return (route: Route | undefined): Handler =>
    (request, params, socket) => {
      const operation = route?.methods.get(request.method);
      const exchange = open(request, params, socket, operation);
      const answer = (reply: Reply): MaybePromise<Response> => {
        if (operation) deprecations.get(operation)?.(reply.headers, exchange.base);
        // An answer that counts nowhere still shows the caller's address how it stands.
        const standing = exchange.verdict ?? limiter.peek(strangerSubject(networkOf(exchange.address)));
        return chain(standing, (verdict) => {
          addLimits(reply.headers, verdict, clock());
          const encode = (operation && reply.status < 400 && encoders.get(operation)) || encodeRefusal;
          return finish(exchange, encode(reply, exchange));
        });
      };
      return tryChain(
        () => check(exchange, route),
        answer,
        (error) => chain(refuse(exchange, error, route), answer),
      );
    };
};

/** Serves everything outside `/v1`. */
const createPage = ({ open, refuse, finish }: Parts, deps: Deps) => {
  const check = createPageChecks(deps);
  return (page: Page | undefined): Handler => {
    const route: Route = { methods: new Map(), allow: allowOf(page) };
    let lastStatus = 200;
    const noteHealth = (status: number): Health => {
      const health = status === lastStatus ? 'same' : 'changed';
      lastStatus = status;
      return health;
    };
    return async (request, params, socket) => {
      const exchange = open(request, params, socket, undefined);
      const { requestId } = exchange;
      try {
        const response = await check(exchange, page);
        response.headers.set('X-Request-Id', requestId);
        return finish(exchange, response, page?.isFree && noteHealth(response.status));
      } catch (error) {
        return finish(exchange, encodePage(await refuse(exchange, error, route), requestId));
      }
    };
  };
};

export const createApp = (deps: Deps): App => {
  const parts: Parts = { open: createExchanges(deps), ...createEnding(deps) };
  const [api, page] = [createApi(parts, deps), createPage(parts, deps)];
  const unknown = page(undefined);
  const unknownBelowV1 = api(undefined);

  return {
    routes: new Map([
      ...[...createRoutes(deps.operations)].map(([path, route]): [string, Handler] => [path, api(route)]),
      ...[...deps.pages].map(([path, shown]): [string, Handler] => [path, page(shown)]),
    ]),
    fallback: (request, params, socket) =>
      isBelowV1(splitUrl(request.url).path)
        ? unknownBelowV1(request, params, socket)
        : unknown(request, params, socket),
    crashed: (error) => {
      const requestId = `req_${deps.randomText(24)}`;
      deps.log.failure(requestId, { status: 500, cause: error });
      return encodePage(refusal(asFailure(error, requestId)), requestId);
    },
  };
};
