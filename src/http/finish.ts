import type { Answer, Caller } from '../kernel/operation.ts';
import type { MaybePromise } from '../kernel/runtime.ts';
import { strangerSubject, type Verdict, type WindowView } from '../limits/window.ts';
import { isBelowV1, type RequestContext } from './context.ts';
import { networkOf } from './input/client-address.ts';
import { type ListRead, listLinks } from './input/cursor.ts';
import { isUnchanged, prefersProblem } from './input/list-headers.ts';
import { mayBeLarge } from './input/read-body.ts';
import { formatTraceparent } from './observe/trace.ts';
import { OVERLOADED } from './overload/gate.ts';
import { asFailure, createEncoders, type Reply, refusal, toProblem } from './reply.ts';
import type { ReplyCache } from './reply-cache.ts';
import type { DeprecationHeaders, OperationHandler } from './routes.ts';
import type { Service } from './service.ts';

const MAX_CHARACTERS = 6000;

export const refuse = async (service: Service, context: RequestContext, error: unknown, allow: string | undefined) => {
  const { log, secrets, requestMetrics } = service;
  const { path, request } = context;
  const failure = asFailure(error, context.requestId);
  context.code = failure.code;
  if (failure.cause !== undefined && !failure.isLogged) log.failure(context.requestId, failure);
  // The message may quote the client's input, which can be a long path or an API key that was sent in the wrong place.
  const show = (text: string): string => secrets.mask(text).slice(0, MAX_CHARACTERS);
  const reply = refusal(failure, show(failure.message));
  if (isBelowV1(path) && prefersProblem(request.headers.get('accept')))
    Object.assign(reply, toProblem(failure, context, show));
  if (failure.status === 405 && allow !== undefined) reply.headers.Allow = allow;
  requestMetrics.refused(failure.code);
  if (failure === OVERLOADED) requestMetrics.shed();
  else if (failure.status !== 429) return reply;
  const { name } = service.identifyClient(context);
  const mayStay = await service.refusalPacing.wait(name, !mayBeLarge(request));
  if (!mayStay) reply.headers.Connection = 'close';
  return reply;
};

const fillPath = (path: string, params: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));

export const toReply = (
  { contract, replies }: OperationHandler,
  context: RequestContext,
  list: ListRead | undefined,
  answer: Answer,
): Reply => {
  const { base, params, lookup } = context;
  const { body, text, stream, version, location, next, replayed } = answer;
  const headers: Record<string, string> = {};
  if (location !== undefined) headers.Location = `${base}/v1${location}`;
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  if (list) headers.Link = listLinks(`${base}/v1${fillPath(contract.path, params)}`, list, next);
  if (version !== undefined) headers.ETag = `"${version}"`;
  const reply: Reply = { status: contract.answer.status, headers, body, text, stream };
  if (replies && lookup) return repeat(context, replies.keep(lookup, reply));
  return contract.method === 'GET' ? unlessKnown(context, reply) : reply;
};

const unlessKnown = ({ request }: RequestContext, reply: Reply): Reply => {
  const { ETag: tag } = reply.headers;
  const ifNoneMatch = request.headers.get('if-none-match');
  const isKnown = tag !== undefined && ifNoneMatch !== null && isUnchanged(ifNoneMatch, tag);
  return isKnown ? { status: 304, headers: reply.headers } : reply;
};

const repeat = (context: RequestContext, cached: Reply): Reply =>
  unlessKnown(context, { ...cached, headers: { ...cached.headers } });

export const findCached = (replies: ReplyCache, context: RequestContext, { storeId }: Caller): Reply | undefined => {
  const { path, queryText, base } = context;
  context.lookup = replies.find(`${storeId} ${base}${path}?${queryText}`);
  return context.lookup.cached && repeat(context, context.lookup.cached);
};

const REFUSALS = createEncoders();

/** @internal */
export const addLimits = (headers: Record<string, string>, { windows, refused }: Verdict, now: number): void => {
  const [first] = windows;
  if (!first) throw new Error('a subject has at least one window');
  // The `X-RateLimit` headers show the window or ban that refused the request. If the request was not refused, they
  // show the window with the fewest requests left.
  let shown: Pick<WindowView, 'limit' | 'remaining' | 'resetAt'> =
    refused?.by === 'ban' ? { limit: first.limit, remaining: 0, resetAt: refused.until } : first;
  let [policy, standing] = ['', ''];
  for (const window of windows) {
    const { name, limit, lengthMs, remaining, resetAt } = window;
    if (refused ? name === refused.by : remaining < shown.remaining) shown = window;
    const comma = standing === '' ? '' : ', ';
    policy += `${comma}"${name}";q=${limit};w=${Math.ceil(lengthMs / 1000)}`;
    standing += `${comma}"${name}";r=${remaining};t=${Math.max(0, Math.ceil((resetAt - now) / 1000))}`;
  }
  headers['X-RateLimit-Limit'] = String(shown.limit);
  headers['X-RateLimit-Remaining'] = String(shown.remaining);
  headers['X-RateLimit-Reset'] = String(Math.ceil(shown.resetAt / 1000));
  headers['RateLimit-Policy'] = policy;
  headers.RateLimit = standing;
};

const addDeprecation = ({ headers }: Reply, base: string, { since, sunset, successor }: DeprecationHeaders): void => {
  const links = `<${base}/docs>; rel="deprecation"; type="text/html", <${base}/v1${successor}>; rel="successor-version"`;
  headers.Deprecation = since;
  headers.Sunset = sunset;
  headers.Link = headers.Link ? `${headers.Link}, ${links}` : links;
};

export const finish = (
  service: Service,
  context: RequestContext,
  reply: Reply,
  standing = context.verdict,
): MaybePromise<Response> => {
  if (!standing) {
    const peeked = service.limiter.peek(strangerSubject(networkOf(context.address)));
    return peeked.then((verdict) => finish(service, context, reply, verdict));
  }
  const { operation, base } = context;
  if (operation?.deprecation) addDeprecation(reply, base, operation.deprecation);
  addLimits(reply.headers, standing, service.clock());
  const { crossOrigin, plain } = operation && reply.status < 400 ? operation.encoders : REFUSALS;
  const encode = context.hasOrigin ? crossOrigin : plain;
  return record(service, context, encode(reply, context.requestId));
};

/**
 * `isNews` is set only for health checks, and shows whether the status has changed. Repeated successes are not logged.
 */
export const record = (service: Service, context: RequestContext, response: Response, isNews?: boolean): Response => {
  const { request, requestId, path, address, startedAt, caller, operation, trace, code } = context;
  const { status } = response;
  if (service.drain.hasBegun) response.headers.set('Connection', 'close');
  const durationMs = service.elapsed() - startedAt;
  service.requestMetrics.answered(context, status, durationMs);
  if (trace) response.headers.set('traceparent', formatTraceparent(trace));
  service.spans?.answered(context, status, durationMs);
  if (isNews !== false || status >= 400) service.log.answered(context, status, durationMs, isNews === true);
  if (caller && (operation || isBelowV1(path))) {
    service.countUsage({
      keyId: caller.keyId,
      requestId,
      method: request.method,
      path,
      urlLength: context.urlLength,
      status,
      code,
      durationMs,
      address,
      deprecatedOperation: operation?.contract.deprecation && operation.contract.id,
    });
  }
  return response;
};
