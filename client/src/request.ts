import { VERSION } from './generated/schemas.ts';
import { digitsOf, writeJson } from './json.ts';
import type { GuardedOptions, RequestNote, Settings } from './options.ts';
import { randomText } from './random-text.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Single = string | number | bigint | boolean;

type Query = Record<string, Single | readonly Single[] | undefined>;

/** A complete request, for operations that have no method of their own in this version of the client. */
export interface PetstoreRequest extends GuardedOptions {
  method?: Method;
  /** The path after `/v1`, such as `/pets/7`. */
  path: string;
  query?: object | undefined;
  body?: unknown;
}

/** Prefers problem details for errors, because they name each invalid field. Successful responses are plain JSON. */
const ACCEPT = 'application/problem+json, application/json;q=0.9';

const USER_AGENT = `petstore-client/${VERSION}`;

/** In a browser, the client must not set `User-Agent`: the service's CORS headers do not allow it. */
const isBrowser = (): boolean => globalThis.navigator?.userAgent?.startsWith('Mozilla/');

export const mergeHeaders = (
  headers: Record<string, string> | Headers | undefined,
  added: Record<string, string> | Headers | undefined,
): Headers => {
  const merged = new Headers(headers);
  new Headers(added).forEach((value, name) => {
    merged.set(name, value);
  });
  return merged;
};

const textOf = (value: Single): string =>
  typeof value === 'string' || typeof value === 'boolean' ? `${value}` : digitsOf(value);

export const fillPath = (template: string, values: readonly unknown[]): string => {
  let at = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[at++];
    const text = value === undefined || value === null ? '' : textOf(value as Single);
    // Rejects `.` and `..`, because a URL parser resolves them to another path, even if they are percent-encoded.
    if (text === '' || text === '.' || text === '..') throw new TypeError(`${name}: must be an id, not "${text}"`);
    return encodeURIComponent(text);
  });
};

const addQuery = (path: string, query: Query): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, [value].flat().map(textOf).join(','));
  }
  const text = String(given);
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path;
};

/**
 * The parts of a call that are the same for all its attempts, including the bytes of the body and the idempotency key.
 */
export type Prepared = {
  method: Method;
  path: string;
  url: string;
  headers: Headers;
  body: string | undefined;
};

export const prepare = (request: PetstoreRequest, { key, baseUrl, headers: ofAll }: Settings): Prepared => {
  const { method = 'GET', path, query, body, ifMatch, idempotencyKey } = request;
  if (!path.startsWith('/')) throw new TypeError(`path: must start with a slash, as in /${path}`);
  // A proxy may decode `%2f` to a slash and then resolve `..`. Even then, the path must stay below `baseUrl`.
  if (!new URL(baseUrl + path.replace(/%2f|%5c/gi, '/')).href.startsWith(`${baseUrl}/`)) {
    throw new TypeError(`path: must be below ${baseUrl}, but ${path} is not`);
  }
  const headers = mergeHeaders(ofAll, request.headers);
  if (!headers.has('User-Agent') && !isBrowser()) headers.set('User-Agent', USER_AGENT);
  headers.set('Authorization', `Bearer ${key}`);
  if (!headers.has('Accept')) headers.set('Accept', ACCEPT);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  if (method === 'POST') {
    headers.set('Idempotency-Key', idempotencyKey ?? headers.get('Idempotency-Key') ?? randomText());
  }
  return {
    method,
    path,
    url: baseUrl + addQuery(path, (query ?? {}) as Query),
    headers,
    body: body === undefined ? undefined : writeJson(body),
  };
};

export const noteOf = ({ method, path, url, headers, body }: Prepared, attempt: number): RequestNote => {
  const shown = new Headers(headers);
  shown.delete('Authorization');
  return { method, path, url, headers: shown, body, attempt };
};
