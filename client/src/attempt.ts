import { type ResponseInfo, readInfo, readText } from './answer.ts';
import { ConnectionLost, PetstoreError, TimedOut } from './errors.ts';
import { LONGEST_TIMER_MS, type Settings } from './options.ts';
import type { Prepared } from './request.ts';

type Limit = { signal: AbortSignal | undefined; timeoutMs: number };

/** Error codes from several runtimes. Each of these codes means that the request was not sent. */
const NOT_SENT = /ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN/;

export const wasNotSent = (reason: unknown): boolean => {
  const { code, cause } = (reason ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return NOT_SENT.test(`${code} ${cause?.code}`);
};

export const openSignal = ({ signal, timeoutMs }: Limit) => {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const follow = () => controller.abort(signal?.reason);
  const expire = () => {
    isLate = true;
    controller.abort();
  };
  const stopTimer = () => clearTimeout(timer);
  signal?.addEventListener('abort', follow);
  if (signal?.aborted) follow();
  return {
    signal: controller.signal,
    isLate: () => isLate,
    startTimer: () => {
      if (timeoutMs <= LONGEST_TIMER_MS) timer = setTimeout(expire, timeoutMs);
    },
    stopTimer,
    close: () => {
      stopTimer();
      // Closes the connection if the response was not read to the end.
      controller.abort();
      signal?.removeEventListener('abort', follow);
    },
  };
};

export const lost = (cause: unknown, { baseUrl }: Settings, { timeoutMs }: Limit, isLate: boolean): PetstoreError => {
  const doubt = 'the service may have carried out the request';
  if (isLate) return new TimedOut(`no response within ${timeoutMs} ms; ${doubt}`, { code: 'timed_out', cause });
  const said = wasNotSent(cause)
    ? `cannot reach ${baseUrl}; nothing was sent. Check that the address is correct and that the service is running`
    : `the connection to ${baseUrl} failed before a response arrived; ${doubt}`;
  return new ConnectionLost(said, { code: 'connection_lost', cause });
};

/**
 * Throws if the response is a redirect, because following it could send the key to another server. Browsers hide a
 * redirect's status and set `type` instead.
 */
export const refuseRedirect = ({ status, type }: Response): void => {
  if (type !== 'opaqueredirect' && (status < 300 || status > 399 || status === 304)) return;
  throw new PetstoreError(
    'the client did not follow a redirect, because it could send the key elsewhere; check baseUrl',
    {
      code: 'unexpected_answer',
      status: status || undefined,
    },
  );
};

export const attempt = async (request: Prepared, settings: Settings, limit: Limit): Promise<ResponseInfo> => {
  const { url, method, headers, body } = request;
  const open = openSignal(limit);
  try {
    limit.signal?.throwIfAborted();
    open.startTimer();
    const init: RequestInit = { method, headers, redirect: 'manual', signal: open.signal };
    // If a kept-alive connection breaks, Bun silently sends the DELETE again. The second DELETE would fail with
    // `not_found` even if the first one succeeded.
    if (method === 'DELETE') init.keepalive = false;
    const response = await settings.fetch(url, body === undefined ? init : { ...init, body });
    refuseRedirect(response);
    return readInfo(response, await readText(response));
  } catch (error) {
    limit.signal?.throwIfAborted();
    throw error instanceof PetstoreError ? error : lost(error, settings, limit, open.isLate());
  } finally {
    open.close();
  }
};
