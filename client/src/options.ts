import type { PetstoreError } from './errors.ts';
import type { RateLimits } from './limits.ts';

/** A response, passed to `onResponse`. */
export interface ResponseNote {
  method: string;
  path: string;
  status: number;
  requestId: string | undefined;
  /** 1 for the first attempt of a call. */
  attempt: number;
  durationMs: number;
  limits: RateLimits | undefined;
}

/** An upcoming retry, passed to `onRetry`. */
export interface RetryNote {
  method: string;
  path: string;
  /** The attempt that failed: 1 for the first. */
  attempt: number;
  waitMs: number;
  reason: PetstoreError;
}

/** Options for a client. `Big` selects bigint for integers beyond 2^53. */
export interface PetstoreOptions<Big extends boolean = false> {
  /** The API key. Read it from the environment or a secret store. It is only sent to `baseUrl`. */
  key: string | undefined;
  /** Address of the service: `https://pets.example.org/v1`. In a browser, it can also be a path on the page's origin. */
  baseUrl: string;
  /** Reads integers beyond 2^53 as bigint. Without it, such a response is an error. Safe integers stay numbers. */
  bigint?: Big | undefined;
  /** Maximum number of retries per call. Default: 2. */
  retries?: number | undefined;
  /** Timeout of one attempt in milliseconds, including reading the response. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** Maximum total wait between the attempts of one call, in milliseconds. Default: 60,000. */
  maxWaitMs?: number | undefined;
  /** Replaces the runtime's `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Called for every response, including refusals. For logs and metrics. */
  onResponse?: ((note: ResponseNote) => void) | undefined;
  /** Called before every retry. */
  onRetry?: ((note: RetryNote) => void) | undefined;
  /** @internal */
  runtime?: Partial<Runtime>;
}

/** Options for every method, passed as its last argument. */
export interface RequestOptions {
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries for this call. */
  retries?: number | undefined;
  /** On a POST: makes the same request safe to send again, even from another process. Default: a new key per call. */
  idempotencyKey?: string | undefined;
  /** Additional headers. */
  headers?: Record<string, string> | undefined;
}

/** Options for methods that change one resource. */
export interface GuardedOptions extends RequestOptions {
  /** The `etag` of the expected version. If the resource has changed since, the call fails with a `Conflict`. */
  ifMatch?: string | undefined;
}

/** Time and randomness, replaceable in tests. */
type Runtime = {
  now(): number;
  random(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Maximum silence of a stream. The service sends a sign of life every 15 seconds. */
  silenceMs: number;
  /** Receives errors that a hook throws. */
  report(error: unknown): void;
};

/** Longer timers fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Returns early, without an error, when the signal aborts. The caller checks the signal next. */
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

/** Isolates a hook: an error, sync or async, affects neither the call nor the process. */
const harmless =
  <Note>(hook: ((note: Note) => void) | undefined, report: Runtime['report']) =>
  (note: Note): void => {
    (async () => hook?.(note))().catch(report);
  };

const VISIBLE = /^[\x21-\x7e]+$/;

const readKey = (key: string | undefined): string => {
  if (!key) throw new TypeError('key: is missing; pass an API key for the service');
  if (!VISIBLE.test(key)) throw new TypeError('key: contains white space or characters that no key has; copy it again');
  return key;
};

const readBaseUrl = (text: string): string => {
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

/** Validates the options and fills in defaults. Throws if one is invalid. */
export const readOptions = (options: PetstoreOptions<boolean>) => {
  const runtime = { ...RUNTIME, ...options.runtime };
  return {
    key: readKey(options.key),
    baseUrl: readBaseUrl(options.baseUrl),
    bigint: options.bigint ?? false,
    retries: options.retries ?? 2,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxWaitMs: options.maxWaitMs ?? 60_000,
    // Browsers reject a `fetch` that is called as a method of another object.
    fetch: options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init)),
    onResponse: harmless(options.onResponse, runtime.report),
    onRetry: harmless(options.onRetry, runtime.report),
    runtime,
  };
};

export type Settings = ReturnType<typeof readOptions>;
