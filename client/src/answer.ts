import { readBytes } from './body.ts';
import { type FieldError, PetstoreError, refusal, unexpected } from './errors.ts';
import { parseJson } from './json.ts';
import { type RateLimits, readLimits } from './limits.ts';

/** What an answer carries beside its body. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** The body as it came. */
  text: string;
  /** By which the operator finds the request in the log. */
  requestId: string | undefined;
  /** The version of the row, for `ifMatch`. */
  etag: string | undefined;
  /** How the key stands. */
  limits: RateLimits | undefined;
  /** Whether this is the first answer to the same request, given again. */
  replayed: boolean;
}

export interface WithResponse<Data> {
  data: Data;
  response: ResponseInfo;
}

/** A promise of the body; `withResponse()` gives status, headers, limits and version beside it. */
export interface Answer<Data> extends Promise<Data> {
  withResponse(): Promise<WithResponse<Data>>;
}

export const createAnswer = <Data>(whole: Promise<WithResponse<Data>>): Answer<Data> => {
  const data = whole.then((answer) => answer.data);
  const withResponse = () => {
    // Whoever takes the whole is told of its failure there.
    data.catch(() => undefined);
    return whole;
  };
  return Object.assign(data, { withResponse });
};

/** The whole body as text. */
export const readText = async (response: Response): Promise<string> => {
  const bytes = await readBytes(response);
  if (bytes === undefined) throw unexpected('its body is too large', { status: response.status });
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

/** `Retry-After` in seconds; a proxy may write a date, and is then waited for as if it had said nothing. */
const readRetryAfter = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined;
};

/** Problem details (RFC 9457), or the three fields of an Error. */
type ErrorBody = { code?: unknown; message?: unknown; detail?: unknown; errors?: unknown };

const readErrorBody = (text: string): ErrorBody => {
  try {
    return (JSON.parse(text) ?? {}) as ErrorBody;
  } catch {
    return {};
  }
};

const isFieldError = (value: { detail?: unknown } | null): boolean => typeof value?.detail === 'string';

/** The error that an answer is which is no success. */
export const readRefusal = ({ status, headers, text, requestId, limits }: ResponseInfo): PetstoreError => {
  const { code, message, detail, errors } = readErrorBody(text);
  const details = { status, requestId, limits, retryAfterMs: readRetryAfter(headers) };
  if (typeof code !== 'string') {
    const said = `what answers with status ${status} is no petstore service: check baseUrl, and what stands before it`;
    return refusal(said, { ...details, code: 'unexpected_answer' });
  }
  const said = [detail, message].find((text) => typeof text === 'string') as string | undefined;
  const fields: FieldError[] = Array.isArray(errors) ? errors.filter(isFieldError) : [];
  return refusal(said ?? code, { ...details, code, fields });
};

/** What a text of the service says. */
export const readJson = (
  text: string,
  bigint: boolean,
  details: { status?: number; requestId?: string | undefined },
) => {
  try {
    return parseJson(text, bigint);
  } catch (cause) {
    if (cause instanceof PetstoreError) throw cause;
    throw unexpected('its body is no JSON', { ...details, cause });
  }
};

/** Answers without a body: done, and unchanged. */
const EMPTY = [204, 304];

/** The body of a success. */
export const readData = ({ status, text, requestId }: ResponseInfo, bigint: boolean): unknown =>
  EMPTY.includes(status) ? undefined : readJson(text, bigint, { status, requestId });
