import { readInfo, readJson, readRefusal, readText } from './answer.ts';
import { lost, openSignal, refuseRedirect } from './attempt.ts';
import type { Caller } from './call.ts';
import { PetstoreError, unexpected } from './errors.ts';
import type { Event, EventType, Int64 } from './generated/schemas.ts';
import { type Prepared, prepare } from './request.ts';
import { LONGEST_WAIT_MS, mayRetry, retryWait } from './retry.ts';
import { type Message, readMessages } from './server-sent-events.ts';

export interface StreamOptions<Type extends EventType = EventType> {
  /** Resumes after this event, given by `sequence` or `id`. Default: starts with the next event. */
  after?: Int64 | string | undefined;
  /** Only events of these types. */
  types?: readonly Type[] | undefined;
  /** Ends the stream without an error. */
  signal?: AbortSignal | undefined;
}

const ACCEPT = 'text/event-stream, application/problem+json;q=0.9';
const STREAM = /^text\/event-stream\b/i;
/** Wait between connections, until the service sends its own value. */
const RETRY_MS = 1000;
/** The position before the first event of a store. */
const BEGINNING = '0';

/**
 * Fetches the position after the newest event, for streams without `after`. Otherwise a connection lost before its
 * first event would leave a gap.
 */
const newest = async ({ call }: Caller, signal: AbortSignal | undefined): Promise<string> => {
  const { data } = await call({ path: '/events', query: { order: 'desc', limit: 1 }, signal });
  const [event] = data as Event<Int64>[];
  return event === undefined ? BEGINNING : String(event.sequence);
};

/** Yields the messages of one connection, until it ends or is silent for too long. */
async function* connect(caller: Caller, request: Prepared, signal?: AbortSignal): AsyncGenerator<Message, void> {
  const { settings, note } = caller;
  const limit = { signal, timeoutMs: settings.runtime.silenceMs };
  const startedAt = settings.runtime.now();
  const open = openSignal(limit);
  try {
    const { url, headers } = request;
    open.startTimer();
    const response = await settings.fetch(url, { headers, redirect: 'manual', signal: open.signal });
    refuseRedirect(response);
    const info = readInfo(response, response.ok ? '' : await readText(response));
    open.stopTimer();
    note(request, info, 1, startedAt);
    if (!response.ok) throw readRefusal(info);
    if (!STREAM.test(response.headers.get('content-type') ?? ''))
      throw unexpected('the body is not an event stream', info);
    if (response.body) yield* readMessages(response.body, open);
  } catch (error) {
    throw error instanceof PetstoreError ? error : lost(error, settings, limit, open.isLate());
  } finally {
    open.close();
  }
}

/** Yields events across reconnects. Each connection resumes after the last event of the previous one. */
async function* follow(caller: Caller, { after, types, signal }: StreamOptions): AsyncGenerator<Event<Int64>, void> {
  const { bigint, runtime, onRetry } = caller.settings;
  let place: string | undefined = after === undefined ? await newest(caller, signal) : String(after);
  let retryMs = RETRY_MS;
  let failures = 0;
  for (;;) {
    const headers = { Accept: ACCEPT, ...(place === undefined ? {} : { 'Last-Event-ID': place }) };
    const request = prepare({ path: '/events/stream', headers }, caller.settings);
    let waitMs: number;
    try {
      for await (const message of connect(caller, request, signal)) {
        failures = 0;
        // The service sends its delay at the end of a stream, for the wait until the next.
        retryMs = Math.max(message.retryMs ?? 0, RETRY_MS);
        place = message.id ?? place;
        if (message.data === undefined) continue;
        const event = readJson(message.data, bigint, {}) as Event<Int64>;
        if (!types || types.includes(event.type)) yield event;
      }
      waitMs = retryMs + runtime.random() * Math.min(retryMs, LONGEST_WAIT_MS);
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error as PetstoreError;
      // No event has been delivered yet, and the first ones have expired.
      if (reason.code === 'invalid_cursor' && after === undefined && place === BEGINNING) place = undefined;
      else if (!mayRetry(reason, request)) throw reason;
      failures += 1;
      waitMs = Math.max(retryWait(reason, failures, runtime.random()), retryMs);
      onRetry({ method: 'GET', path: request.path, attempt: failures, waitMs, reason });
    }
    await runtime.sleep(waitMs, signal);
    signal?.throwIfAborted();
  }
}

/** Yields the events of a store, until the caller stops or the service refuses. */
export async function* streamEvents(caller: Caller, options: StreamOptions = {}): AsyncGenerator<Event<Int64>, void> {
  try {
    yield* follow(caller, options);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
}
