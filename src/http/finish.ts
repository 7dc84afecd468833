import type { Clock } from '../kernel/clock.ts';
import type { SecretMask } from '../kernel/log.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Limiter } from '../limits/limiter.ts';
import { strangerSubject, type Verdict, type WindowView } from '../limits/window.ts';
import { type ContextDeps, isBelowV1, type RequestContext } from './context.ts';
import { prefersProblem } from './input/accept.ts';
import { networkOf } from './input/client-address.ts';
import { mayBeLarge } from './input/read-body.ts';
import type { RequestLog, RequestMetrics } from './observe/request-log.ts';
import { spellTraceparent } from './observe/trace.ts';
import type { DeprecationHeaders } from './operation-handler.ts';
import { type ClientIdentity, OVERLOADED } from './overload/gate.ts';
import type { RefusalPacing } from './overload/refusal-pacing.ts';
import { toProblem } from './problem.ts';
import { asFailure, type Reply, refusal } from './reply.ts';

export type FinishDeps = Pick<ContextDeps, 'elapsed' | 'spans'> & {
  log: RequestLog;
  requestMetrics: RequestMetrics;
  secrets: SecretMask;
  countUsage(request: { keyId: string; status: number; deprecatedOperation: string | undefined }): void;
  /** Once the service is about to stop, responses make clients open a new connection, which reaches another instance. */
  drain: { readonly hasBegun: boolean };
  clock: Clock;
  limiter: Pick<Limiter, 'peek'>;
  refusalPacing: RefusalPacing;
  identifyClient(context: RequestContext): ClientIdentity;
};

/** Whether the status of a health check is the same as last time. */
export type Health = 'same' | 'changed';

/** Maximum length of a message: more than one that lists every wrong field, or every wrong row of a thousand. */
const MOST_CHARACTERS = 6000;

/** Pages outside `/v1` have only one error format. */
const wantsProblem = ({ path, request }: RequestContext): boolean =>
  isBelowV1(path) && prefersProblem(request.headers.get('accept'));

/** Turns any error into a reply, and logs its cause. Paces refusals that can be repeated at will (429, overload 503). */
export const refuse = async (
  service: FinishDeps,
  context: RequestContext,
  error: unknown,
  allow: string | undefined,
): Promise<Reply> => {
  const { log, secrets, requestMetrics } = service;
  const failure = asFailure(error, context.requestId);
  if (failure.cause !== undefined && !failure.isLogged) log.failure(context.requestId, failure);
  // A message may contain input: a long path, or a key in the wrong place.
  const tell = (text: string): string => secrets.mask(text.slice(0, MOST_CHARACTERS));
  const reply = refusal(failure, tell(failure.message));
  if (wantsProblem(context)) Object.assign(reply, toProblem(failure, context, tell));
  if (failure.status === 405 && allow !== undefined) reply.headers.Allow = allow;
  requestMetrics.refused(failure.code);
  if (failure === OVERLOADED) requestMetrics.shed();
  else if (failure.status !== 429) return reply;
  const { name } = service.identifyClient(context);
  const mayStay = await service.refusalPacing.wait(name, !mayBeLarge(context.request));
  if (!mayStay) reply.headers.Connection = 'close';
  return reply;
};

/** Response headers that the OpenAPI document describes. */
const DOCUMENTED_HEADERS = [
  ...(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'] as const),
  ...(['X-Request-Id', 'Retry-After', 'WWW-Authenticate', 'ETag', 'Idempotent-Replayed', 'Location', 'Link'] as const),
  ...(['Deprecation', 'Sunset'] as const),
];
export type DocumentedHeader = (typeof DOCUMENTED_HEADERS)[number];

const EXPOSED_HEADERS = [...DOCUMENTED_HEADERS, 'Allow', 'Cache-Control', 'Vary', 'X-Content-Type-Options'].join(', ');
/** On every response below `/v1`. */
const SHARED_HEADERS = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
};

/** On every response to another origin. Any origin is allowed, because callers authenticate by key and never by cookie. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
};

/** On every response outside `/v1`. */
const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff' };

/** Turns a reply into a response. */
export type Encode = (reply: Reply, requestId: string) => Response;

/**
 * Creates an encoder whose responses all have the `shared` headers. It reuses one Headers object and sets only what
 * differs: building about 20 headers costs as much as the rest of the reply.
 */
const createEncode = (shared: Record<string, string>): Encode => {
  let headers = new Headers(shared);
  let last: Record<string, string> = {};
  return ({ status, headers: own, body, text, stream, mediaType }, requestId) => {
    const json = text ?? (body === undefined ? null : JSON.stringify(body));
    own['X-Request-Id'] = requestId;
    if (stream) own['Content-Type'] = 'text/event-stream';
    else if (json !== null) own['Content-Type'] = mediaType ?? 'application/json';
    try {
      for (const name in own) {
        const value = own[name] as string;
        if (last[name] !== value) headers.set(name, value);
      }
      for (const name in last) if (own[name] === undefined) headers.delete(name);
      last = own;
    } catch (error) {
      // An invalid header value: the headers set before it must not stay for the next response.
      headers = new Headers(shared);
      last = {};
      throw error;
    }
    return new Response(stream ?? json, { status, headers });
  };
};

/** Each operation has its own encoders, because its replies differ least from one another. */
export const createEncoders = () => ({
  plain: createEncode(SHARED_HEADERS),
  crossOrigin: createEncode({ ...SHARED_HEADERS, ...CORS_HEADERS }),
});

/** Encodes replies outside `/v1`. */
export const encodePage: Encode = createEncode(PAGE_HEADERS);

const REFUSALS = createEncoders();

/** Adds the interface's own limit headers, and all windows in the form of the IETF draft. @internal */
export const addLimits = (headers: Record<string, string>, { windows, refused }: Verdict, now: number): void => {
  const [first] = windows;
  if (!first) throw new Error('a subject has at least one window');
  // The `X-RateLimit` headers describe the window or ban that refused, else the window with the fewest requests left.
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

/** Adds the headers of a planned removal (RFC 9745, RFC 8594). */
const addDeprecation = (
  headers: Record<string, string>,
  base: string,
  { since, sunset, successor }: DeprecationHeaders,
): void => {
  const links = `<${base}/docs>; rel="deprecation"; type="text/html", <${base}/v1${successor}>; rel="successor-version"`;
  headers.Deprecation = since;
  headers.Sunset = sunset;
  headers.Link = headers.Link ? `${headers.Link}, ${links}` : links;
};

/**
 * Adds the headers that every reply below `/v1` has, encodes and records it. `standing` is what the limit headers describe.
 */
export const finish = (
  service: FinishDeps,
  context: RequestContext,
  reply: Reply,
  standing = context.verdict,
): MaybePromise<Response> => {
  if (!standing) {
    // Not counted: shows the windows of the caller's address.
    const peeked = service.limiter.peek(strangerSubject(networkOf(context.address)));
    return peeked.then((verdict) => finish(service, context, reply, verdict));
  }
  const { operation, base } = context;
  if (operation?.deprecation) addDeprecation(reply.headers, base, operation.deprecation);
  addLimits(reply.headers, standing, service.clock());
  const { crossOrigin, plain } = operation && reply.status < 400 ? operation.encoders : REFUSALS;
  const encode = context.hasOrigin ? crossOrigin : plain;
  return record(service, context, encode(reply, context.requestId));
};

/** Logs, counts and measures a request. Every response leaves through here. A repeated health check leaves no log line. */
export const record = (
  service: FinishDeps,
  context: RequestContext,
  response: Response,
  health?: Health | undefined,
): Response => {
  const { request, requestId, path, address, startedAt, caller, operation, trace } = context;
  const { status, headers } = response;
  if (service.drain.hasBegun) headers.set('Connection', 'close');
  const durationMs = service.elapsed() - startedAt;
  service.requestMetrics.answered(context, status, durationMs);
  if (trace) headers.set('traceparent', spellTraceparent(trace));
  service.spans?.answered(context, status, durationMs);
  if (health !== 'same' || status >= 400) {
    service.log.request({
      requestId,
      method: request.method,
      path,
      status,
      durationMs,
      operation: operation?.contract.id,
      keyId: caller?.keyId,
      address,
      traceId: trace?.traceId,
      callerRequestId: request.headers.get('x-request-id') ?? undefined,
      isNews: health === 'changed',
    });
  }
  if (caller && (operation || isBelowV1(path))) {
    const deprecatedOperation = operation?.contract.deprecation && operation.contract.id;
    service.countUsage({ keyId: caller.keyId, status, deprecatedOperation });
  }
  return response;
};
