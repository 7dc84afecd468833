import type { ErrorCode } from './generated/schemas.ts';
import type { RateLimits } from './limits.ts';

/** One thing that is wrong with a request: where it is, and what to change. */
export interface FieldError {
  /** A JSON Pointer into the body, such as `#/name`. */
  pointer?: string;
  /** The name of a query parameter. */
  parameter?: string;
  /** The name of a header. */
  header?: string;
  detail: string;
}

/** What the client says by itself, where the service has said nothing. */
export type ClientCode = 'connection_lost' | 'timed_out' | 'unexpected_answer' | 'unsafe_integer' | 'invalid_signature';

export type PetstoreErrorCode = ErrorCode | ClientCode | (string & {});

/** What is known of a refusal beside its message. */
export interface ErrorDetails {
  code: PetstoreErrorCode;
  status?: number | undefined;
  requestId?: string | undefined;
  fields?: readonly FieldError[] | undefined;
  retryAfterMs?: number | undefined;
  limits?: RateLimits | undefined;
  cause?: unknown;
}

/** Whatever keeps a call from its answer. Decide by `code`; the message is for people. */
export class PetstoreError extends Error {
  override name = 'PetstoreError';
  /** A stable word: one of the service's own, or one of the client's where there was no answer. */
  readonly code: PetstoreErrorCode;
  /** The HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;
  /** By which the operator finds the request in the log. */
  readonly requestId: string | undefined;
  /** Everything that is wrong with the request, where the service names it. */
  readonly fields: readonly FieldError[];
  /** How long to wait before the next try, where the service says so. */
  readonly retryAfterMs: number | undefined;
  /** How the key stands after this answer. */
  readonly limits: RateLimits | undefined;

  constructor(message: string, { code, status, requestId, fields, retryAfterMs, limits, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.fields = fields ?? [];
    this.retryAfterMs = retryAfterMs;
    this.limits = limits;
  }
}

/** The request is wrong: 400, 413, 415, 422. `fields` says where. */
export class Invalid extends PetstoreError {
  override name = 'Invalid';
}

/** The key is missing, unknown, expired or revoked: 401. */
export class Unauthorized extends PetstoreError {
  override name = 'Unauthorized';
}

/** The key lacks a scope: 403. */
export class Forbidden extends PetstoreError {
  override name = 'Forbidden';
}

/** There is no such thing, no such path, or no longer: 404, 405, 410. */
export class NotFound extends PetstoreError {
  override name = 'NotFound';
}

/** The present state does not allow it: 409, 412. */
export class Conflict extends PetstoreError {
  override name = 'Conflict';
}

/** The requests are used up: 429. `retryAfterMs` says when there are more. */
export class RateLimited extends PetstoreError {
  override name = 'RateLimited';
}

/** The service cannot answer right now: 5xx. */
export class Unavailable extends PetstoreError {
  override name = 'Unavailable';
}

/** The service could not be reached, or its answer was lost on the way. A change may have been made. */
export class ConnectionLost extends PetstoreError {
  override name = 'ConnectionLost';
}

/** No answer came in time. A change may have been made. */
export class TimedOut extends PetstoreError {
  override name = 'TimedOut';
}

/** What claims to be a webhook of the service is none: answer it with 400. */
export class InvalidSignature extends PetstoreError {
  override name = 'InvalidSignature';
}

const CLASSES: Record<number, typeof PetstoreError> = {
  400: Invalid,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  405: NotFound,
  409: Conflict,
  410: NotFound,
  412: Conflict,
  413: Invalid,
  415: Invalid,
  422: Invalid,
  429: RateLimited,
};

/** What has answered cannot be the service. */
export const unexpected = (why: string, details: Omit<ErrorDetails, 'code'>): PetstoreError =>
  new PetstoreError(`what answers is no petstore service: ${why}; check baseUrl, and what stands before it`, {
    ...details,
    code: 'unexpected_answer',
  });

/** The error of its status. */
export const refusal = (message: string, details: ErrorDetails & { status: number }): PetstoreError => {
  const Class = CLASSES[details.status] ?? (details.status >= 500 ? Unavailable : PetstoreError);
  return new Class(message, details);
};
