import { FAILURES, Failure, type Fault } from '../kernel/failure.ts';

export type Reply = {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  text?: string | undefined;
  stream?: ReadableStream<Uint8Array> | undefined;
  mediaType?: string;
};

export const refusal = (failure: Failure, message = failure.message): Reply => {
  const headers: Record<string, string> = {};
  if (failure.status === 401) headers['WWW-Authenticate'] = 'Bearer realm="petstore"';
  if (failure.retryAfterSeconds !== undefined) headers['Retry-After'] = String(failure.retryAfterSeconds);
  const { code, status } = failure;
  return { status, headers, body: { code, message, status } };
};

const pointerTo = (field: readonly PropertyKey[]): string => {
  const parts = field.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return ['#', ...parts.map(encodeURIComponent)].join('/');
};

const toError = (fault: Fault) =>
  'field' in fault ? { pointer: pointerTo(fault.field), detail: fault.detail } : fault;

export const toProblem = (
  { code, status, message, faults }: Failure,
  { base, requestId }: { base: string; requestId: string },
  show: (text: string) => string,
): Pick<Reply, 'mediaType' | 'body'> => {
  const body = {
    type: `${base}/docs/errors#${code}`,
    title: FAILURES[code].meaning,
    status,
    detail: show(message),
    code,
    instance: requestId,
    ...(faults.length > 0 ? { errors: faults.map((fault) => toError({ ...fault, detail: show(fault.detail) })) } : {}),
  };
  return { mediaType: 'application/problem+json', body };
};

export const asFailure = (error: unknown, requestId: string): Failure =>
  error instanceof Failure
    ? error
    : new Failure(
        'internal_error',
        `Something went wrong on our side. Please report this problem and include the request id ${requestId}.`,
        { cause: error },
      );

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID';

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

const DOCUMENTED_HEADERS = [
  ...(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'] as const),
  ...(['X-Request-Id', 'Retry-After', 'WWW-Authenticate', 'ETag', 'Idempotent-Replayed', 'Location', 'Link'] as const),
  ...(['Deprecation', 'Sunset'] as const),
];
export type DocumentedHeader = (typeof DOCUMENTED_HEADERS)[number];

const EXPOSED_HEADERS = [...DOCUMENTED_HEADERS, 'Allow', 'Cache-Control', 'Vary', 'X-Content-Type-Options'].join(', ');

const SHARED_HEADERS = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Any origin is allowed, because the API uses no cookies. */
const CORS_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS };

export type Encode = (reply: Reply, requestId: string) => Response;

/** Reuses one Headers object, because building about 20 headers costs as much as all other work on a response. */
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
      // A header value was invalid. The headers that were set before it must not appear in the next response.
      headers = new Headers(shared);
      last = {};
      throw error;
    }
    return new Response(stream ?? json, { status, headers });
  };
};

export const createEncoders = () => ({
  plain: createEncode(SHARED_HEADERS),
  crossOrigin: createEncode({ ...SHARED_HEADERS, ...CORS_HEADERS }),
});

export const encodePage: Encode = createEncode({ 'X-Content-Type-Options': 'nosniff' });
