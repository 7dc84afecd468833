import type { PetstoreError } from './errors.ts';
import type { RateLimits } from './limits.ts';

export interface RequestNote {
  method: string;
  path: string;
  url: string;
  /** All request headers except `Authorization`, which contains the key. */
  headers: Headers;
  body: string | undefined;
  /** Number of this attempt within the call, starting with 1. */
  attempt: number;
}

export interface ResponseNote {
  method: string;
  path: string;
  status: number;
  requestId: string | undefined;
  /** Number of this attempt within the call, starting with 1. */
  attempt: number;
  durationMs: number;
  limits: RateLimits | undefined;
}

export interface RetryNote {
  method: string;
  path: string;
  /** Number of the failed attempt within the call, starting with 1. */
  attempt: number;
  waitMs: number;
  reason: PetstoreError;
}

export interface PetstoreOptions {
  /** The API key. Read it from the environment or a secret store. The client sends it only to `baseUrl`. */
  key: string | undefined;
  /**
   * The address of the service, such as `https://pets.example.org/v1`. In a browser, it may be a path on the page's
   * origin.
   */
  baseUrl: string;
  /** Maximum number of retries per call. Default: 2. */
  retries?: number | undefined;
  /** Timeout for each attempt, in milliseconds. It includes the time to read the response. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** Maximum total time that a call waits between its attempts, in milliseconds. Default: 60,000. */
  maxWaitMs?: number | undefined;
  /** Headers for every request. The `headers` option of a single call overrides headers with the same name. */
  headers?: Record<string, string> | Headers | undefined;
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Called before every attempt. Useful for debugging. */
  onRequest?: ((note: RequestNote) => void) | undefined;
  /** Called for every response, including error responses. Useful for logs and metrics. */
  onResponse?: ((note: ResponseNote) => void) | undefined;
  onRetry?: ((note: RetryNote) => void) | undefined;
  /** @internal */
  runtime?: Partial<Runtime>;
}

/** Options that every method accepts as its last argument. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Timeout for each attempt, in milliseconds. */
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  /**
   * For POST requests. If several requests have the same idempotency key, the service carries out only one of them,
   * even if they come from different processes. Default: a new key for each call.
   */
  idempotencyKey?: string | undefined;
  /** Additional headers. They override the client's headers with the same name. */
  headers?: Record<string, string> | undefined;
}

export interface GuardedOptions extends RequestOptions {
  /**
   * The `etag` of the version that you expect. If the resource no longer has this version, the call fails with a
   * `Conflict`.
   */
  ifMatch?: string | undefined;
}

type Runtime = {
  now(): number;
  random(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * If a stream receives no data for this many milliseconds, the client reconnects. The service sends a heartbeat every
   * 15 s.
   */
  silenceMs: number;
  report(error: unknown): void;
};

/** Maximum delay of a timer in milliseconds. A timer with a longer delay would fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Resolves after `ms`. If the signal aborts, resolves early and without an error, so the caller must check the signal.
 */
const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });

const RUNTIME: Runtime = {
  now: () => performance.now(),
  random: Math.random,
  sleep,
  silenceMs: 45_000,
  report: (error) => console.error('petstore-client: a hook threw an error:', error),
};

/** Calls a hook and reports its errors. An error in a hook must not make the call or the process fail. */
const harmless =
  <Note>(hook: ((note: Note) => void) | undefined, report: Runtime['report']) =>
  (note: Note): void => {
    (async () => hook?.(note))().catch(report);
  };

const VISIBLE = /^[\x21-\x7e]+$/;

const readKey = (key: string | undefined): string => {
  if (!key) throw new TypeError('key: is missing; pass an API key for the service');
  if (!VISIBLE.test(key)) throw new TypeError('key: contains white space or other invalid characters; copy it again');
  return key;
};

export const readNumber = (name: string, value: unknown, otherwise: number): number => {
  if (value === undefined) return otherwise;
  if (typeof value === 'number' && value >= 0) return value;
  throw new TypeError(`${name}: must be a number of at least 0, not ${String(value)}`);
};

const readBaseUrl = (text: string | undefined): string => {
  if (!text)
    throw new TypeError('baseUrl: is missing; pass the URL of the service, such as https://pets.example.org/v1');
  const page = (globalThis as { location?: { href: string } }).location?.href;
  let url: URL;
  try {
    url = new URL(text, page);
  } catch {
    throw new TypeError('baseUrl: must be a URL such as https://pets.example.org/v1');
  }
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new TypeError('baseUrl: must be an http or https URL without a user, a query or a fragment');
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (/\/v\d+$/.test(path) ? path : `${path}/v1`);
};

/** Headers that apply to a single call and must therefore not be set for the whole client. */
const OF_ONE_CALL = ['Idempotency-Key', 'If-Match'];

const readHeaders = (given: PetstoreOptions['headers']): Headers => {
  const headers = new Headers(given);
  const wrong = OF_ONE_CALL.find((name) => headers.has(name));
  if (wrong) throw new TypeError(`headers: ${wrong} applies to a single call; pass it with that call`);
  return headers;
};

export const readOptions = (options: PetstoreOptions | undefined) => {
  if (!options) throw new TypeError('options: are missing; pass them, as in new Petstore({ key, baseUrl })');
  const runtime = { ...RUNTIME, ...options.runtime };
  return {
    key: readKey(options.key),
    baseUrl: readBaseUrl(options.baseUrl),
    retries: readNumber('retries', options.retries, 2),
    timeoutMs: readNumber('timeoutMs', options.timeoutMs, 30_000),
    maxWaitMs: readNumber('maxWaitMs', options.maxWaitMs, 60_000),
    headers: readHeaders(options.headers),
    // Wraps `fetch` in a function, because browsers reject `fetch` if it is called as a method of another object.
    fetch: options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init)),
    onRequest: harmless(options.onRequest, runtime.report),
    onResponse: harmless(options.onResponse, runtime.report),
    onRetry: harmless(options.onRetry, runtime.report),
    runtime,
  };
};

export type Settings = ReturnType<typeof readOptions>;
