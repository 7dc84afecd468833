import { Failure } from '../kernel/failure.ts';
import { HEADERS } from './answer-headers.ts';

/** An answer before the headers that all answers share. `body` is written as JSON. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  /** The body as JSON text already, in the place of `body`. */
  text?: string | undefined;
  /** A body without an end. */
  stream?: ReadableStream<Uint8Array> | undefined;
};

/** The refusal in the interface's own shape: these three fields and no other. */
export const refusal = (failure: Failure): Reply => {
  const headers: Record<string, string> = {};
  if (failure.status === 401) headers['WWW-Authenticate'] = 'Bearer realm="petstore"';
  if (failure.retryAfterSeconds !== undefined) headers['Retry-After'] = String(failure.retryAfterSeconds);
  const { code, message, status } = failure;
  return { status, headers, body: { code, message, status } };
};

/** What went wrong, as far as a caller may know. Anything that is not a refusal of ours is opaque. */
export const asFailure = (error: unknown, requestId: string): Failure =>
  error instanceof Failure
    ? error
    : new Failure('internal_error', `Something went wrong on our side. Please report the request id ${requestId}.`, {
        cause: error,
      });

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID';

const EXPOSED_HEADERS = [...Object.keys(HEADERS), ...['Allow', 'Cache-Control', 'Vary', 'X-Content-Type-Options']].join(
  ', ',
);

/** On every answer below `/v1`. Open to every origin, because a key and never a cookie says who calls. */
const SHARED_HEADERS = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
};

/** The answer to a browser that asks whether it may ask. */
export const preflight = (methods: string): Reply => ({
  status: 204,
  headers: {
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': '86400',
  },
});

/** Made once: to copy them costs far less than to make them of names and values for every answer. */
const SHARED = new Headers(SHARED_HEADERS);
const SHARED_WITH_JSON = new Headers({ ...SHARED_HEADERS, 'Content-Type': 'application/json' });
const PAGE = new Headers({ 'X-Content-Type-Options': 'nosniff' });
const PAGE_WITH_JSON = new Headers({ 'X-Content-Type-Options': 'nosniff', 'Content-Type': 'application/json' });

const put = (headers: Headers, values: Record<string, string>): void => {
  for (const name in values) headers.set(name, values[name] as string);
};

const encode = (
  { status, headers: own, body, text, stream }: Reply,
  {
    plain,
    withJson,
    requestId,
    limits,
  }: { plain: Headers; withJson: Headers; requestId: string; limits: Record<string, string> },
): Response => {
  const json = text ?? (body === undefined ? null : JSON.stringify(body));
  const response = new Response(stream ?? json, { status, headers: json === null || stream ? plain : withJson });
  const { headers } = response;
  put(headers, limits);
  headers.set('X-Request-Id', requestId);
  put(headers, own);
  if (stream) headers.set('Content-Type', 'text/event-stream');
  return response;
};

export const encodeApiReply = (reply: Reply, requestId: string, limits: Record<string, string>): Response =>
  encode(reply, { plain: SHARED, withJson: SHARED_WITH_JSON, requestId, limits });

/** An answer outside `/v1`, where nothing is counted. */
export const encodeReply = (reply: Reply, requestId: string): Response =>
  encode(reply, { plain: PAGE, withJson: PAGE_WITH_JSON, requestId, limits: {} });
