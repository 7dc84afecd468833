import type { ErrorCode } from './generated/schemas.ts';
import type { RateLimits } from './limits.ts';

export interface FieldError {
  /** A JSON Pointer into the request body, such as `#/name`. */
  pointer?: string;
  parameter?: string;
  header?: string;
  detail: string;
}

export type ClientCode = 'connection_lost' | 'timed_out' | 'unexpected_answer' | 'invalid_signature';

export type PetstoreErrorCode = ErrorCode | ClientCode | (string & {});

export interface ErrorDetails {
  code: PetstoreErrorCode;
  status?: number | undefined;
  requestId?: string | undefined;
  fields?: readonly FieldError[] | undefined;
  retryAfterMs?: number | undefined;
  sequence?: number | undefined;
  limits?: RateLimits | undefined;
  cause?: unknown;
}

/**
 * Every failed call throws this error or a subclass. Check `code` rather than `message`, because the text of `message`
 * may change.
 */
export class PetstoreError extends Error {
  override name = 'PetstoreError';
  /** A stable error code from the service. If the service sent no code, the client sets one of its own codes. */
  readonly code: PetstoreErrorCode;
  readonly status: number | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  readonly fields: readonly FieldError[];
  /** Milliseconds to wait before a retry. Undefined if the service did not ask for a delay. */
  readonly retryAfterMs: number | undefined;
  /**
   * Sequence number of a streamed event that could not be read. To skip that event, resume with
   * `after: error.sequence`.
   */
  readonly sequence: number | undefined;
  readonly limits: RateLimits | undefined;

  constructor(message: string, details: ErrorDetails) {
    const { code, status, requestId, fields, retryAfterMs, sequence, limits, cause } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.fields = fields ?? [];
    this.retryAfterMs = retryAfterMs;
    this.sequence = sequence;
    this.limits = limits;
  }
}

/** The request is invalid (400, 413, 415, 422). `fields` lists what is wrong. */
export class Invalid extends PetstoreError {
  override name = 'Invalid';
}

/** The key is missing, unknown, expired or revoked (401). */
export class Unauthorized extends PetstoreError {
  override name = 'Unauthorized';
}

/** The key lacks a scope (403). */
export class Forbidden extends PetstoreError {
  override name = 'Forbidden';
}

/** The resource, path or method does not exist, or no longer exists (404, 405, 410). */
export class NotFound extends PetstoreError {
  override name = 'NotFound';
}

/** The current state of the resource does not allow the request (409, 412). */
export class Conflict extends PetstoreError {
  override name = 'Conflict';
}

/** The rate limit has been reached (429). `retryAfterMs` is the time until the limit resets. */
export class RateLimited extends PetstoreError {
  override name = 'RateLimited';
}

/** The service cannot handle the request at the moment (5xx). */
export class Unavailable extends PetstoreError {
  override name = 'Unavailable';
}

/** The service could not be reached, or its response was lost. The service may have carried out the request. */
export class ConnectionLost extends PetstoreError {
  override name = 'ConnectionLost';
}

/** The response did not arrive in time. The service may have carried out the request. */
export class TimedOut extends PetstoreError {
  override name = 'TimedOut';
}

/** The request is not a genuine webhook delivery from the service. Reply to it with 400. */
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

export const notPetstore = (why: string): string =>
  `the server is not a petstore service: ${why}; check baseUrl, and any proxy in front of it`;

export const unexpected = (why: string, details: Omit<ErrorDetails, 'code'>): PetstoreError =>
  new PetstoreError(notPetstore(why), { ...details, code: 'unexpected_answer' });

export const refusal = (message: string, details: ErrorDetails & { status: number }): PetstoreError => {
  const Class = CLASSES[details.status] ?? (details.status >= 500 ? Unavailable : PetstoreError);
  return new Class(message, details);
};
