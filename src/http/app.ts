import type { MaybePromise } from '../kernel/runtime.ts';
import { type Incoming, isBelowV1, splitUrl } from './context.ts';
import { handle } from './handle.ts';
import { handlePage, type Page } from './pages/page-checks.ts';
import { asFailure, encodePage, refusal } from './reply.ts';
import { createRoutes, type OperationHandler } from './routes.ts';
import type { Service } from './service.ts';

export type Handler = (incoming: Incoming) => MaybePromise<Response>;

export type App = { routes: ReadonlyMap<string, Handler>; fallback: Handler; crashed(error: unknown): Response };

export const createApp = (service: Service, operations: readonly OperationHandler[], pages: Map<string, Page>): App => {
  const routes = new Map<string, Handler>();
  for (const [path, route] of createRoutes(operations)) routes.set(path, handle.bind(undefined, service, route));
  for (const [path, page] of pages) routes.set(path, handlePage.bind(undefined, service, page));

  return {
    routes,
    fallback: (incoming) =>
      isBelowV1(splitUrl(incoming.request.url).path)
        ? handle(service, undefined, incoming)
        : handlePage(service, undefined, incoming),
    crashed: (error) => {
      const requestId = `req_${service.randomText(24)}`;
      service.log.failure(requestId, { status: 500, cause: error });
      return encodePage(refusal(asFailure(error, requestId)), requestId);
    },
  };
};
