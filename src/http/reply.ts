import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Verdict } from '../limits/window.ts';

/** An answer before the headers that all answers share. `body` is written as JSON. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  /** The body as JSON text already, in the place of `body`. */
  text?: string | undefined;
  /** A body without an end. */
  stream?: ReadableStream<Uint8Array> | undefined;
  /** Of a body that is JSON of a particular kind. */
  mediaType?: string;
};

/** The refusal in the interface's own shape: these three fields and no other. */
export const refusal = (failure: Failure, message = failure.message): Reply => {
  const headers: Record<string, string> = {};
  if (failure.status === 401) headers['WWW-Authenticate'] = 'Bearer realm="petstore"';
  if (failure.retryAfterSeconds !== undefined) headers['Retry-After'] = String(failure.retryAfterSeconds);
  const { code, status } = failure;
  return { status, headers, body: { code, message, status } };
};

/** What went wrong, as far as a caller may know. Any error that is not a `Failure` is opaque. */
export const asFailure = (error: unknown, requestId: string): Failure =>
  error instanceof Failure
    ? error
    : new Failure('internal_error', `Something went wrong on our side. Please report the request id ${requestId}.`, {
        cause: error,
      });

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID';

/** Response headers that the OpenAPI document describes. */
const DOCUMENTED_HEADERS = [
  ...(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'] as const),
  ...(['X-Request-Id', 'Retry-After', 'WWW-Authenticate', 'ETag', 'Idempotent-Replayed', 'Location', 'Link'] as const),
  ...(['Deprecation', 'Sunset'] as const),
];
export type DocumentedHeader = (typeof DOCUMENTED_HEADERS)[number];

const EXPOSED_HEADERS = [...DOCUMENTED_HEADERS, 'Allow', 'Cache-Control', 'Vary', 'X-Content-Type-Options'].join(', ');

/** On every answer below `/v1`. */
const SHARED_HEADERS = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
};

/** On every answer to another origin. Open to all of them, because a key and never a cookie says who calls. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
};

/** The reply to a preflight request of a browser (CORS), or to any other client that asks what a path takes. */
export const preflight = (methods: string, hasOrigin: boolean): Reply => ({
  status: 204,
  headers: {
    Allow: methods,
    ...(hasOrigin && {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': '86400',
    }),
  },
});

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** The window that the three `X-RateLimit` headers describe: the one that refused, else the one with the fewest left. */
const described = ({ windows, refused }: Verdict): { limit: number; remaining: number; resetAt: number } => {
  const [minute] = windows;
  if (!minute) throw new Error('a subject has at least one window');
  if (refused?.by === 'ban') return { limit: minute.limit, remaining: 0, resetAt: refused.until };
  if (refused) return windows.find((window) => window.name === refused.by) ?? minute;
  let fewest = minute;
  for (const window of windows) if (window.remaining < fewest.remaining) fewest = window;
  return fewest;
};

/** Adds the interface's own limit headers, and all windows in the form of the IETF draft. */
export const addLimits = (headers: Record<string, string>, verdict: Verdict, now: number): void => {
  const { limit, remaining, resetAt } = described(verdict);
  let [policy, standing] = ['', ''];
  for (const { name, limit, lengthMs, remaining, resetAt } of verdict.windows) {
    const comma = standing === '' ? '' : ', ';
    policy += `${comma}"${name}";q=${limit};w=${seconds(lengthMs)}`;
    standing += `${comma}"${name}";r=${remaining};t=${Math.max(0, seconds(resetAt - now))}`;
  }
  headers['X-RateLimit-Limit'] = String(limit);
  headers['X-RateLimit-Remaining'] = String(remaining);
  headers['X-RateLimit-Reset'] = String(seconds(resetAt));
  headers['RateLimit-Policy'] = policy;
  headers.RateLimit = standing;
};

/** Adds the headers of a coming removal (RFC 9745, RFC 8594). `base` is the address by which the caller knows the service. */
export type AddDeprecation = (headers: Record<string, string>, base: string) => void;

export const createDeprecation = ({ deprecation }: Contract): AddDeprecation | undefined => {
  if (!deprecation) return undefined;
  const { successor } = deprecation;
  const since = `@${deprecation.since.getTime() / 1000}`;
  const sunset = deprecation.sunset.toUTCString();
  return (headers, base) => {
    const links = `<${base}/docs>; rel="deprecation"; type="text/html", <${base}/v1${successor}>; rel="successor-version"`;
    headers.Deprecation = since;
    headers.Sunset = sunset;
    headers.Link = headers.Link ? `${headers.Link}, ${links}` : links;
  };
};

/** What an answer outside `/v1` carries, where nothing is counted. */
const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff' };

/** Turns a reply into an answer. Its own headers are added to the `shared` ones, which all of its answers carry. */
export type Encode = (reply: Reply, requestId: string) => Response;

/** Reuses one Headers object and sets only what differs: building about 20 headers costs as much as the rest of the reply. */
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
      // A value that no header can have: those that were changed before it must not stay for the next answer.
      headers = new Headers(shared);
      last = {};
      throw error;
    }
    return new Response(stream ?? json, { status, headers });
  };
};

/** Each operation has its own: its replies differ least from one another. */
export const createEncoders = () => ({
  plain: createEncode(SHARED_HEADERS),
  crossOrigin: createEncode({ ...SHARED_HEADERS, ...CORS_HEADERS }),
});

export const encodePage: Encode = createEncode(PAGE_HEADERS);
