import { type ResponseInfo, readInfo, readJson, readRefusal, readText } from './answer.ts';
import { lost, openSignal, refuseRedirect } from './attempt.ts';
import type { Caller } from './call.ts';
import { PetstoreError, unexpected } from './errors.ts';
import type { Event, EventType, Int64 } from './generated/schemas.ts';
import { noteOf, type Prepared, prepare } from './request.ts';
import { LONGEST_WAIT_MS, mayRetry, retryWait } from './retry.ts';
import { type Message, readMessages } from './server-sent-events.ts';

export interface StreamOptions<Type extends EventType = EventType> {
  /** Starts after the event with this `sequence` or `id`. Default: starts with the next new event. */
  after?: Int64 | string | undefined;
  /** Returns only events of these types. Default: all types. */
  types?: readonly Type[] | undefined;
  /** Aborting this signal ends the stream without an error. */
  signal?: AbortSignal | undefined;
}

const ACCEPT = 'text/event-stream, application/problem+json;q=0.9';
const STREAM = /^text\/event-stream\b/i;
/** Minimum delay before the client reconnects, in ms. The service may ask for a longer delay. */
const RETRY_MS = 1000;
const BEGINNING = '0';

/**
 * Returns the position of the newest event. A stream without a position would miss events if its connection were lost
 * before the first event.
 */
const newest = async ({ call }: Caller, signal: AbortSignal | undefined): Promise<string> => {
  const { data } = await call({ path: '/events', query: { order: 'desc', limit: 1 }, signal });
  const [event] = data as Event[];
  return event === undefined ? BEGINNING : String(event.sequence);
};

type Received = Message & { from: ResponseInfo };

async function* connect(caller: Caller, request: Prepared, signal?: AbortSignal): AsyncGenerator<Received, void> {
  const { settings, note } = caller;
  const limit = { signal, timeoutMs: settings.runtime.silenceMs };
  const startedAt = settings.runtime.now();
  const open = openSignal(limit);
  try {
    const { url, headers } = request;
    settings.onRequest(noteOf(request, 1));
    open.startTimer();
    const response = await settings.fetch(url, { headers, redirect: 'manual', signal: open.signal });
    refuseRedirect(response);
    const info = readInfo(response, response.ok ? '' : await readText(response));
    open.stopTimer();
    note(request, info, 1, startedAt);
    if (!response.ok) throw readRefusal(info);
    if (!STREAM.test(response.headers.get('content-type') ?? ''))
      throw unexpected('the body is not an event stream', info);
    if (!response.body) return;
    for await (const message of readMessages(response.body, open)) yield { ...message, from: info };
  } catch (error) {
    throw error instanceof PetstoreError ? error : lost(error, settings, limit, open.isLate());
  } finally {
    open.close();
  }
}

const readEvent = ({ id, data, from: { status, requestId } }: Received & { data: string }): Event => {
  const details = { status, requestId, sequence: id === undefined ? undefined : Number(id) };
  const event = readJson(data, details);
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw unexpected('the event is not an object', details);
  return event as Event;
};

/** Reconnects when a connection ends, and resumes after the last received event. */
async function* follow(caller: Caller, { after, types, signal }: StreamOptions): AsyncGenerator<Event, void> {
  const { runtime, onRetry } = caller.settings;
  const isWanted = (type: string): boolean => !types || types.some((wanted) => wanted === type);
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
        // Shortly before the service ends a stream, it sends the time that the client should wait before it reconnects.
        retryMs = Math.max(message.retryMs ?? 0, RETRY_MS);
        place = message.id ?? place;
        const { data, event: name } = message;
        // Checks the type before it parses the data, so that an unreadable event of another type does not end the
        // stream.
        if (data === undefined || (name !== undefined && !isWanted(name))) continue;
        const event = readEvent({ ...message, data });
        if (isWanted(event.type)) yield event;
      }
      waitMs = retryMs + runtime.random() * Math.min(retryMs, LONGEST_WAIT_MS);
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error as PetstoreError;
      // The store had no events when this stream began, so the stream requested all events from the beginning. The
      // service refuses that request if the store's first events have since expired. Therefore, the next connection
      // sends no position.
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

export async function* streamEvents(caller: Caller, options: StreamOptions = {}): AsyncGenerator<Event, void> {
  try {
    yield* follow(caller, options);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
}
