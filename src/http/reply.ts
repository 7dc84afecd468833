import { Failure } from '../kernel/failure.ts';

/** A response before the shared headers are added. `body` is serialized as JSON. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  /** Replaces `body`: JSON text. */
  text?: string | undefined;
  /** Replaces `body`: an event stream. */
  stream?: ReadableStream<Uint8Array> | undefined;
  /** The media type of the body, if not `application/json`. */
  mediaType?: string;
};

/** A refusal in the format of the interface: exactly these three fields. */
export const refusal = (failure: Failure, message = failure.message): Reply => {
  const headers: Record<string, string> = {};
  if (failure.status === 401) headers['WWW-Authenticate'] = 'Bearer realm="petstore"';
  if (failure.retryAfterSeconds !== undefined) headers['Retry-After'] = String(failure.retryAfterSeconds);
  const { code, status } = failure;
  return { status, headers, body: { code, message, status } };
};

/** Converts any error to a failure. One that is not a `Failure` stays opaque to the caller. */
export const asFailure = (error: unknown, requestId: string): Failure =>
  error instanceof Failure
    ? error
    : new Failure('internal_error', `Something went wrong on our side. Please report the request id ${requestId}.`, {
        cause: error,
      });

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID';

/** The reply to an OPTIONS request: a browser's preflight (CORS), or any client's. */
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
