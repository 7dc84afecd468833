import { type ResponseInfo, readData, readRefusal, type WithResponse } from './answer.ts';
import { attempt } from './attempt.ts';
import { PetstoreError } from './errors.ts';
import { isOfKey, type RateLimits } from './limits.ts';
import { readNumber, type Settings } from './options.ts';
import { noteOf, type PetstoreRequest, type Prepared, prepare } from './request.ts';
import { isGoneBefore, judgeInDoubt, leavesDoubt, mayRetry, retryWait } from './retry.ts';

export type Caller = {
  settings: Settings;
  call(request: PetstoreRequest): Promise<WithResponse<unknown>>;
  note(request: Prepared, response: ResponseInfo, attempt: number, startedAt: number): void;
  limits(): RateLimits | undefined;
};

type Bounds = { signal: AbortSignal | undefined; timeoutMs: number; retries: number };

/**
 * `waitedMs` is the total time spent waiting between attempts. `inDoubt` means that an earlier attempt may have taken
 * effect.
 */
type Progress = { attempts: number; waitedMs: number; inDoubt: boolean };

export const createCaller = (settings: Settings): Caller => {
  const { runtime, onRequest, onResponse, onRetry } = settings;
  let limits: RateLimits | undefined;

  const note: Caller['note'] = ({ method, path }, { status, requestId, limits: seen }, attempt, startedAt) => {
    if (seen && isOfKey(seen)) limits = seen;
    onResponse({ method, path, status, requestId, attempt, durationMs: runtime.now() - startedAt, limits: seen });
  };

  const ask = async (request: Prepared, number: number, bounds: Bounds): Promise<ResponseInfo> => {
    onRequest(noteOf(request, number));
    const startedAt = runtime.now();
    const response = await attempt(request, settings, bounds);
    note(request, response, number, startedAt);
    return response;
  };

  const waitToRetry = async (
    error: PetstoreError,
    request: Prepared,
    progress: Progress,
    { signal, retries }: Bounds,
  ) => {
    const waitMs = retryWait(error, progress.attempts, runtime.random());
    progress.waitedMs += waitMs;
    const isHopeless = progress.attempts > retries || progress.waitedMs > settings.maxWaitMs;
    if (isHopeless || !mayRetry(error, request)) throw progress.inDoubt ? judgeInDoubt(error, request) : error;
    onRetry({ method: request.method, path: request.path, attempt: progress.attempts, waitMs, reason: error });
    await runtime.sleep(waitMs, signal);
  };

  const call: Caller['call'] = async (asked) => {
    const request = prepare(asked, settings);
    const bounds: Bounds = {
      signal: asked.signal,
      timeoutMs: readNumber('timeoutMs', asked.timeoutMs, settings.timeoutMs),
      retries: readNumber('retries', asked.retries, settings.retries),
    };
    const progress: Progress = { attempts: 0, waitedMs: 0, inDoubt: false };
    for (;;) {
      try {
        progress.attempts += 1;
        const response = await ask(request, progress.attempts, bounds);
        if (response.status < 400) return { data: readData(response), response };
        const refused = readRefusal(response);
        if (progress.inDoubt && isGoneBefore(refused, request)) return { data: undefined, response };
        throw refused;
      } catch (error) {
        if (!(error instanceof PetstoreError)) throw error;
        progress.inDoubt ||= leavesDoubt(error);
        await waitToRetry(error, request, progress, bounds);
      }
    }
  };
  return { settings, call, note, limits: () => limits };
};
