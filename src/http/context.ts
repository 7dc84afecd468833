import type { RandomText } from '../kernel/ids.ts';
import type { Caller } from '../kernel/operation.ts';
import type { Verdict } from '../limits/window.ts';
import { type BaseUrlDeps, createBaseUrl } from './input/base-url.ts';
import { clientAddress } from './input/client-address.ts';
import { splitUrl } from './input/request-url.ts';
import type { Trace } from './observe/trace.ts';
import type { Mounted } from './operation-handler.ts';

/** The parts of the path that have a name, as the router has found them. */
export type Params = Record<string, string>;

/** What is known of a request while it is served. */
export type Exchange = {
  request: Request;
  params: Params;
  requestId: string;
  startedAt: number;
  path: string;
  queryText: string;
  host: string;
  address: string;
  base: string;
  /** Whether the caller names an origin, as a browser does for a page of another one. */
  hasOrigin: boolean;
  operation: Mounted | undefined;
  caller: Caller | undefined;
  verdict: Verdict | undefined;
  /** Where it stands among the requests that it is a part of, if somebody wants to know. */
  trace: Trace | undefined;
};

export type ExchangeDeps = BaseUrlDeps & {
  randomText: RandomText;
  /** The time in milliseconds by which waits are measured, by a clock that is never set back. */
  elapsed(): number;
  /** What the header `traceparent` comes to. */
  goOnTrace(header: string | null): Trace | undefined;
};

export const createExchanges = (deps: ExchangeDeps) => {
  const { randomText, trusted, elapsed, goOnTrace } = deps;
  const baseUrl = createBaseUrl(deps);
  return (request: Request, params: Params, socket: string, operation: Mounted | undefined): Exchange => {
    const { path, queryText } = splitUrl(request.url);
    const host = request.headers.get('host') ?? '';
    const forwardedFor = trusted ? request.headers.get('x-forwarded-for') : null;
    return {
      request,
      params,
      requestId: `req_${randomText(24)}`,
      startedAt: elapsed(),
      path,
      queryText,
      host,
      address: clientAddress(socket, forwardedFor, trusted),
      base: baseUrl(request, host, socket),
      hasOrigin: request.headers.has('origin'),
      operation,
      caller: undefined,
      verdict: undefined,
      trace: goOnTrace(request.headers.get('traceparent')),
    };
  };
};
