import type { BlockList } from 'node:net';
import type { FailureCode } from '../kernel/failure.ts';
import type { RandomText } from '../kernel/ids.ts';
import type { Call, Caller } from '../kernel/operation.ts';
import type { Verdict } from '../limits/window.ts';
import { clientAddress } from './input/client-address.ts';
import { formatTraceparent, type Trace } from './observe/trace.ts';
import type { CacheLookup } from './reply-cache.ts';
import type { OperationHandler } from './routes.ts';

export type Incoming = { request: Request; params: Record<string, string>; socket: string };

type Opened = ReturnType<typeof openContext>;
export type RequestContext = Readonly<Opened> & Pick<Opened, 'trace' | 'caller' | 'verdict' | 'lookup' | 'code'>;

export type ContextDeps = {
  randomText: RandomText;
  trusted: BlockList | undefined;
  elapsed(): number;
  baseUrl(request: Request, host: string, socket: string): string;
  spans: object | undefined;
  continueTrace(header: string | null): Trace | undefined;
};

export const splitUrl = (url: string): { path: string; queryText: string } => {
  const authority = url.startsWith('/') ? -1 : url.indexOf('://');
  const start = authority < 0 ? 0 : url.indexOf('/', authority + 3);
  const fragment = url.indexOf('#', start);
  const end = fragment < 0 ? url.length : fragment;
  const mark = url.indexOf('?', start);
  return mark < 0 || mark > end
    ? { path: url.slice(start, end), queryText: '' }
    : { path: url.slice(start, mark), queryText: url.slice(mark + 1, end) };
};

export const isBelowV1 = (path: string): boolean => path === '/v1' || path.startsWith('/v1/');

export const openContext = (
  service: ContextDeps,
  operation: OperationHandler | undefined,
  { request, params, socket }: Incoming,
) => {
  const { randomText, trusted, elapsed } = service;
  const { headers, url } = request;
  const { path, queryText } = splitUrl(url);
  const host = headers.get('host') ?? '';
  const traceparent = headers.get('traceparent');
  return {
    request,
    params,
    requestId: `req_${randomText(24)}`,
    startedAt: elapsed(),
    path,
    queryText,
    urlLength: url.length,
    host,
    // If the Host header is repeated, the runtime joins the values with a comma, which a valid host never contains.
    hasTwoHosts: host.includes(','),
    address: clientAddress(socket, trusted ? headers.get('x-forwarded-for') : null, trusted),
    base: service.baseUrl(request, host, socket),
    hasOrigin: headers.has('origin'),
    operation,
    trace: traceparent === null && !service.spans ? undefined : service.continueTrace(traceparent),
    caller: undefined as Caller | undefined,
    verdict: undefined as Verdict | undefined,
    lookup: undefined as CacheLookup | undefined,
    code: undefined as FailureCode | undefined,
  };
};

export const callOf = ({ requestId, address, trace, verdict }: RequestContext, caller: Caller): Call => ({
  storeId: caller.storeId,
  keyId: caller.keyId,
  requestId,
  traceparent: trace ? formatTraceparent(trace) : null,
  address,
  scopes: caller.scopes,
  endsAt: caller.endsAt,
  petLimit: caller.limits.pets,
  sinceWriteMs: verdict?.sinceWriteMs,
});
