import type { PetstoreError } from './errors.ts';
import type { RateLimits } from './limits.ts';

/** An answer of the service, told to `onResponse`. */
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

/** A call that is about to be tried again, told to `onRetry`. */
export interface RetryNote {
  method: string;
  path: string;
  /** The attempt that failed: 1 for the first. */
  attempt: number;
  waitMs: number;
  reason: PetstoreError;
}

/** What a client is made of. `Big` says whether integers beyond 2^53 are read as bigint. */
export interface PetstoreOptions<Big extends boolean = false> {
  /** The API key. Read it from the environment or a secret store; it is sent to `baseUrl` and nowhere else. */
  key: string | undefined;
  /** Where the service is: `https://pets.example.org/v1`. In a browser also a path of the page's own origin. */
  baseUrl: string;
  /** Reads integers beyond 2^53 as bigint; without it such an answer is an error. Safe ones are numbers either way. */
  bigint?: Big | undefined;
  /** How often a call is tried again: 2. */
  retries?: number | undefined;
  /** How long one attempt may take, until its answer is read: 30,000. */
  timeoutMs?: number | undefined;
  /** How long the waits between the attempts of one call may be together: 60,000. */
  mostWaitMs?: number | undefined;
  /** In the place of the runtime's own. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Is told of every answer, refusals among them: for logs and meters. */
  onResponse?: ((note: ResponseNote) => void) | undefined;
  /** Is told of every attempt that is about to be made again. */
  onRetry?: ((note: RetryNote) => void) | undefined;
  /** @internal */
  runtime?: Partial<Runtime>;
}

/** What every method takes as its last argument. */
export interface RequestOptions {
  /** Ends the call early. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take. */
  timeoutMs?: number | undefined;
  /** How often it is tried again. */
  retries?: number | undefined;
  /** On a POST: makes the same request safe to send again, also from another process. Without it each call has its own. */
  idempotencyKey?: string | undefined;
  /** Further headers. */
  headers?: Record<string, string> | undefined;
}

/** What methods take that change one row. */
export interface GuardedOptions extends RequestOptions {
  /** The `etag` of the version to change: if the row has moved on, the call is refused with a `Conflict`. */
  ifMatch?: string | undefined;
}

/** Time and chance, so that tests can hold them. */
type Runtime = {
  now(): number;
  random(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** So long a stream may be silent: the service shows every 15 seconds that it lives. */
  silenceMs: number;
  /** Hears of a hook that has thrown. */
  report(error: unknown): void;
};

/** A timer that is set for longer goes off at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Ends early, and without an error, when the signal says so: whoever waits looks at it next. */
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
  report: (error) => console.error('petstore-client: a hook has failed:', error),
};

/** A hook that throws, now or later, harms neither a call nor the process. */
const harmless =
  <Note>(hook: ((note: Note) => void) | undefined, report: Runtime['report']) =>
  (note: Note): void => {
    (async () => hook?.(note))().catch(report);
  };

const VISIBLE = /^[\x21-\x7e]+$/;

const readKey = (key: string | undefined): string => {
  if (!key) throw new TypeError('key: is missing; give the API key of the service');
  if (!VISIBLE.test(key)) throw new TypeError('key: holds white space or characters that no key has');
  return key;
};

const readBaseUrl = (text: string): string => {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  let url: URL;
  try {
    url = new URL(text, page);
  } catch {
    throw new TypeError('baseUrl: must be a URL like https://pets.example.org/v1');
  }
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new TypeError('baseUrl: must be an http or https URL without a user, a query and a fragment');
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (/\/v\d+$/.test(path) ? path : `${path}/v1`);
};

/** The options as the client uses them; whatever is wrong with them is told at once. */
export const readOptions = (options: PetstoreOptions<boolean>) => {
  const runtime = { ...RUNTIME, ...options.runtime };
  return {
    key: readKey(options.key),
    baseUrl: readBaseUrl(options.baseUrl),
    bigint: options.bigint ?? false,
    retries: options.retries ?? 2,
    timeoutMs: options.timeoutMs ?? 30_000,
    mostWaitMs: options.mostWaitMs ?? 60_000,
    // Browsers refuse to be called as a method of something else.
    fetch: options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init)),
    onResponse: harmless(options.onResponse, runtime.report),
    onRetry: harmless(options.onRetry, runtime.report),
    runtime,
  };
};

export type Settings = ReturnType<typeof readOptions>;
