import { isIP } from '../kernel/builtins.ts';
import type { Clock } from '../kernel/runtime.ts';
import type { AttemptResult } from '../resources/webhooks/delivery.ts';
import { hostOf, isPrivate, urlPolicyFault } from './address.ts';

const TIMEOUT_MS = 15_000;
const KEPT_BYTES = 1024;
/** Maximum time in ms for reading the first `KEPT_BYTES` of the body, so that a slow response does not block a slot. */
const START_MS = 1000;
const TRIED_ADDRESSES = 4;
// Maximum number of concurrent name lookups. Lookups run on the runtime's worker threads (one per processor, at least
// two). These threads also flush the database to disk and write the log, so slow lookups must not occupy all of them.
const MAX_LOOKUPS = Math.max(1, navigator.hardwareConcurrency - 2);

type Message = { url: string; headers: Record<string, string>; body: string };
export type Send = (message: Message) => Promise<AttemptResult>;

type Options = {
  allowPrivate: boolean;
  resolve?: (host: string, signal: AbortSignal) => Promise<string[]>;
  ca?: string;
  timeoutMs?: number;
  startMs?: number;
  clock?: Clock;
};

/** The webhook's owner can see the message of this error. */
class NotSent extends Error {}

/** The message is the same for unknown and internal names, so that it does not reveal the names in our network. */
const noAddress = () => new NotSent('the host name does not resolve to an address that webhooks may call');

const loadDns = () => import('node:dns/promises');

/** @internal */
export const createSemaphore = (most: number) => {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (taken < most) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
};

/** Uses the system's resolver, which also knows the names in a private network. */
const createResolveAnyName = () => {
  const inPlace = createSemaphore(MAX_LOOKUPS);
  return (host: string, signal: AbortSignal): Promise<string[]> =>
    inPlace(async () => {
      signal.throwIfAborted();
      const { lookup } = await loadDns();
      return (await lookup(host, { all: true })).map(({ address }) => address);
    });
};

/**
 * Queries name servers directly, without a worker thread. Otherwise, one unresponsive name server could delay all
 * lookups.
 * @internal
 */
export const resolvePublicName = async (host: string): Promise<string[]> => {
  const { resolve4, resolve6 } = await loadDns();
  const [four, six] = await Promise.allSettled([resolve4(host), resolve6(host)]);
  return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

const unlessAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

const readStart = async (answer: Response, startMs: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  const start = () => Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  const reader = answer.body?.getReader();
  const timer = setTimeout(() => void reader?.cancel().catch(() => undefined), startMs);
  try {
    while (reader && start().length < KEPT_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
  } catch {
    // An incomplete body does not matter, because only the status decides whether the delivery succeeded.
  } finally {
    clearTimeout(timer);
    void reader?.cancel().catch(() => undefined);
  }
  // With `stream: true`, the decoder drops an incomplete character at the end. U+0000 is replaced, because PostgreSQL
  // cannot store it.
  return new TextDecoder().decode(start(), { stream: true }).replaceAll('\0', '\uFFFD');
};

const readRetryAfter = (header: string, now: number): number | undefined => {
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');

const isUnconnected = (error: unknown): boolean =>
  /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/.test(codeOf(error));

/** Shows only error codes, because the runtime's error messages contain the IP address that was called. */
const explain = (error: unknown, timeoutMs: number): string => {
  if (error instanceof NotSent) return `not reached: ${error.message}`;
  if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} seconds`;
  const code = codeOf(error);
  return `not reached: ${/^[A-Z][A-Z_]+$/.test(code) ? code : 'the connection failed'}`;
};

// `address` must come from `addressesOf`, which checks it. Redirects are not followed, because their targets would not
// be checked.
const post = async (url: URL, address: string, message: Message, signal: AbortSignal, ca: string | undefined) => {
  const target = new URL(url);
  target.hostname = isIP(address) === 6 ? `[${address}]` : address;
  // If the URL parser rejected the address, `target` still contains the host name, and `fetch` would resolve that name.
  if (isIP(hostOf(target)) === 0) throw noAddress();
  const host = hostOf(url).replace(/\.$/, '');
  return fetch(target, {
    method: 'POST',
    headers: { ...message.headers, Host: url.host, Connection: 'close', 'Accept-Encoding': 'identity' },
    body: message.body,
    redirect: 'manual',
    // A proxy would look up the host name itself, and could then call an address that has not been checked.
    proxy: false,
    // A small response could expand into a very large one if it were decompressed.
    decompress: false,
    signal,
    // The certificate must be valid for the host name, not for the address.
    tls: { rejectUnauthorized: true, ...(isIP(host) === 0 && { serverName: host }), ...(ca !== undefined && { ca }) },
  });
};

export const createSend = (options: Options): Send => {
  const { allowPrivate, ca, timeoutMs = TIMEOUT_MS, startMs = START_MS, clock = Date.now } = options;
  const resolve = options.resolve ?? (allowPrivate ? createResolveAnyName() : resolvePublicName);

  // Connections use only the addresses checked here. A later DNS change therefore has no effect, which prevents DNS
  // rebinding. IPv4 addresses come first, because on many networks IPv6 addresses can be resolved but not reached.
  const addressesOf = async (host: string, signal: AbortSignal): Promise<string[]> => {
    const found = isIP(host) === 0 ? await resolve(host, signal).catch(() => []) : [host];
    if (found.length === 0 || (!allowPrivate && found.some(isPrivate))) throw noAddress();
    return found.toSorted((a, b) => isIP(a) - isIP(b)).slice(0, TRIED_ADDRESSES);
  };

  const postToAny = async (message: Message, signal: AbortSignal): Promise<Response> => {
    const url = new URL(message.url);
    if (!allowPrivate && url.protocol !== 'https:') throw new NotSent('webhooks are sent over https only');
    if (urlPolicyFault(message.url, allowPrivate)) throw noAddress();
    const addresses = await unlessAborted(signal, addressesOf(hostOf(url), signal));
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await post(url, address, message, signal, ca);
      } catch (error) {
        if (!isUnconnected(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  };

  return async (message) => {
    const started = performance.now();
    const resultOf = (known: Partial<AttemptResult>): AttemptResult => ({
      isDelivered: false,
      isGone: false,
      responseStatus: null,
      responseBody: null,
      durationMs: Math.round(performance.now() - started),
      retryAfterMs: undefined,
      ...known,
    });
    try {
      const answer = await postToAny(message, AbortSignal.timeout(timeoutMs));
      const responseBody = await readStart(answer, startMs);
      return resultOf({
        isDelivered: answer.ok,
        isGone: answer.status === 410,
        responseStatus: answer.status,
        responseBody,
        retryAfterMs: readRetryAfter(answer.headers.get('retry-after') ?? '', clock()),
      });
    } catch (error) {
      return resultOf({ responseBody: explain(error, timeoutMs) });
    }
  };
};
