import { Failure } from '../kernel/failure.ts';

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
