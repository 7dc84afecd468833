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

const encode = ({ status, headers, body, text, stream }: Reply, shared: Record<string, string>): Response => {
  if (stream) {
    return new Response(stream, { status, headers: { 'Content-Type': 'text/event-stream', ...shared, ...headers } });
  }
  const json = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return json === undefined
    ? new Response(null, { status, headers: { ...shared, ...headers } })
    : new Response(json, { status, headers: { 'Content-Type': 'application/json', ...shared, ...headers } });
};

export const encodeApiReply = (reply: Reply, requestId: string, limits: Record<string, string>): Response =>
  encode(reply, { ...SHARED_HEADERS, ...limits, 'X-Request-Id': requestId });

/** An answer outside `/v1`, where nothing is counted. */
export const encodeReply = (reply: Reply, requestId: string): Response =>
  encode(reply, { 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': requestId });
