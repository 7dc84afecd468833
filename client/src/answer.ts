import { readBytes } from './body.ts';
import { type ErrorDetails, type FieldError, notPetstore, type PetstoreError, refusal, unexpected } from './errors.ts';
import { parseJson } from './json.ts';
import { type RateLimits, readLimits } from './limits.ts';

export interface ResponseInfo {
  status: number;
  headers: Headers;
  text: string;
  /** Identifies the request in the service's log. */
  requestId: string | undefined;
  /** The version of the returned resource. Pass it as `ifMatch` when you change the resource later. */
  etag: string | undefined;
  limits: RateLimits | undefined;
  /** True if the service repeated its stored response to an earlier request with the same idempotency key. */
  replayed: boolean;
}

export interface WithResponse<Data> {
  data: Data;
  response: ResponseInfo;
}

/** A promise of the response body. `withResponse()` also provides the status, headers, rate limits and version. */
export interface Answer<Data> extends Promise<Data> {
  withResponse(): Promise<WithResponse<Data>>;
}

export const createAnswer = <Data>(whole: Promise<WithResponse<Data>>): Answer<Data> => {
  const data = whole.then((answer) => answer.data);
  const withResponse = () => {
    // If the call fails, the promise from `withResponse()` reports the error. Without this line, the runtime would also
    // report `data` as an unhandled rejection.
    data.catch(() => undefined);
    return whole;
  };
  return Object.assign(data, { withResponse });
};

export const readText = async (response: Response): Promise<string> => {
  const bytes = await readBytes(response);
  if (bytes === undefined) throw unexpected('the body exceeds 16 MiB', { status: response.status });
  return new TextDecoder().decode(bytes);
};

export const readInfo = ({ status, headers }: Response, text: string): ResponseInfo => ({
  status,
  headers,
  text,
  requestId: headers.get('x-request-id') ?? undefined,
  etag: headers.get('etag') ?? undefined,
  limits: readLimits(headers),
  replayed: headers.get('idempotent-replayed') === 'true',
});

/** Returns the delay in milliseconds, or `undefined` if a proxy sent a date instead of a number of seconds. */
const readRetryAfter = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined;
};

/** The service has two error formats: problem details (RFC 9457) and its own `Error`. */
type ErrorBody = { code?: unknown; message?: unknown; detail?: unknown; errors?: unknown };

const readErrorBody = (text: string): ErrorBody => {
  try {
    return (JSON.parse(text) ?? {}) as ErrorBody;
  } catch {
    return {};
  }
};

const isFieldError = (value: { detail?: unknown } | null): boolean => typeof value?.detail === 'string';

export const readRefusal = ({ status, headers, text, requestId, limits }: ResponseInfo): PetstoreError => {
  const { code, message, detail, errors } = readErrorBody(text);
  const details = { status, requestId, limits, retryAfterMs: readRetryAfter(headers) };
  if (typeof code !== 'string') {
    return refusal(notPetstore(`status ${status} without an error code`), { ...details, code: 'unexpected_answer' });
  }
  const said = [detail, message].find((text) => typeof text === 'string') as string | undefined;
  const fields: FieldError[] = Array.isArray(errors) ? errors.filter(isFieldError) : [];
  return refusal(said ?? code, { ...details, code, fields });
};

export const readJson = (text: string, details: Pick<ErrorDetails, 'status' | 'requestId' | 'sequence'>): unknown => {
  try {
    return parseJson(text);
  } catch (cause) {
    throw unexpected('the body is not JSON', { ...details, cause });
  }
};

const EMPTY = [204, 304];

export const readData = ({ status, text, requestId }: ResponseInfo): unknown =>
  EMPTY.includes(status) ? undefined : readJson(text, { status, requestId });
