import { Failure } from '../kernel/failure.ts';
import { type MaybePromise, tryChain } from '../kernel/maybe-promise.ts';
import { isOperators, type StoredEvent, toEventBody } from './event.ts';

/** What one read gives to streams, encoded once for all of them. Undefined where there is nothing to show. */
export type Portion = {
  /** For those who may see changes of keys and webhooks, and for those who may not. */
  chunks: { operators: Uint8Array | undefined; others: Uint8Array | undefined };
  /** How far was read, hidden events included: they are not read again. */
  position: bigint;
  mayBeMore: boolean;
};

type Taker = { take(portion: Portion): void; fail(error: unknown): void };

type Deps = {
  /** The position behind which the stream begins. */
  after: bigint;
  audience: keyof Portion['chunks'];
  /** Has the taker told what lies behind a position, later. */
  ask(after: bigint, taker: Taker): void;
  /** Pays for what lies behind the first position, up to the second; throws if the caller cannot. */
  charge(from: bigint, to: bigint): MaybePromise<void>;
  /** How long a reader whose stream has ended is asked to wait. */
  retryMs: number;
  /** Milliseconds of a clock that nobody sets. */
  stopwatch(): number;
  /** The reader went away, or was sent away. */
  ended(): void;
};

export const HEARTBEAT_MS = 15_000;
/** So long a reader may take nothing. */
export const PATIENCE_MS = 30_000;
/** So long a stream lasts; its reader comes back, to whichever instance is the right one by then. */
export const LONGEST_MS = 3_600_000;

const encoder = new TextEncoder();
const HELLO = encoder.encode(': hello\n\n');
const HEARTBEAT = encoder.encode(': still here\n\n');

const encode = (event: StoredEvent): string =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(toEventBody(event))}\n\n`;

const toChunk = (texts: readonly string[]): Uint8Array | undefined =>
  texts.length === 0 ? undefined : encoder.encode(texts.join(''));

/** The portion that so many events behind a position make, if at most `most` were asked for. */
export const toPortion = (
  events: readonly StoredEvent[],
  { after, most }: { after: bigint; most: number },
): Portion => {
  const texts = events.map(encode);
  const operators = toChunk(texts);
  const shown = texts.filter((_, index) => !isOperators(events[index]?.type ?? ''));
  return {
    chunks: { operators, others: shown.length === texts.length ? operators : toChunk(shown) },
    position: events.at(-1)?.sequence ?? after,
    mayBeMore: events.length === most,
  };
};

/** The last words of a stream: why it ends, for people, and when to come back, for programs. */
const farewell = (reason: string, retryMs: number): Uint8Array => encoder.encode(`: ${reason}\nretry: ${retryMs}\n\n`);

/**
 * Server-sent events, asked for when the reader has room for them: a slow one costs no memory, because the stored events
 * are the queue.
 */
export const createStream = ({ after, audience, ask, charge, retryMs, stopwatch, ended }: Deps) => {
  const startedAt = stopwatch();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let position = after;
  let mayBeMore = true;
  let isAsking = false;
  let isOver = false;
  let sentAt = startedAt;
  /** Since when the reader has had something to take; undefined while it waits for more. */
  let fullSince: number | undefined = startedAt;

  /** Whether it is this that ends the stream. */
  const finish = (): boolean => {
    if (isOver) return false;
    isOver = true;
    ended();
    return true;
  };

  const end = (lastWords?: Uint8Array): void => {
    if (!finish()) return;
    if (lastWords) controller?.enqueue(lastWords);
    controller?.close();
  };

  const cutOff = (): void => {
    // The runtime resets the connection. It would print a reason, if it were given one.
    if (finish()) controller?.error(undefined);
  };

  const send = (chunk: Uint8Array): void => {
    sentAt = stopwatch();
    fullSince = sentAt;
    controller?.enqueue(chunk);
  };

  const accept = (portion: Portion): void => {
    isAsking = false;
    if (isOver) return;
    position = portion.position;
    // Whoever has woken it meanwhile knows of more.
    mayBeMore ||= portion.mayBeMore;
    const chunk = portion.chunks[audience];
    if (chunk) send(chunk);
    else look();
  };

  const fail = (error: unknown): void => {
    const [reason, ms] =
      error instanceof Failure && error.retryAfterSeconds !== undefined
        ? [error.message, error.retryAfterSeconds * 1000]
        : ['events cannot be read right now', retryMs];
    end(farewell(reason, ms));
  };

  const taker: Taker = {
    take: (portion) => {
      if (!isOver)
        void tryChain(
          () => charge(position, portion.position),
          () => accept(portion),
          fail,
        );
    },
    fail,
  };

  const look = (): void => {
    if (isOver || isAsking || !mayBeMore || fullSince !== undefined) return;
    isAsking = true;
    mayBeMore = false;
    ask(position, taker);
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
        controller.enqueue(HELLO);
      },
      pull: () => {
        fullSince = undefined;
        look();
      },
      cancel: () => {
        finish();
      },
    },
    // Nothing is kept ready: it is pulled when the socket has taken all there was, and not before.
    { highWaterMark: 0 },
  );

  return {
    stream,
    end,
    /** Ends it with an invitation to come back. */
    sendAway: (reason: string) => end(farewell(reason, retryMs)),
    /** Says that there may be something new. */
    wake: () => {
      mayBeMore = true;
      look();
    },
    /** Does what is due by now; to be called every second or so. */
    tend: () => {
      const now = stopwatch();
      if (fullSince !== undefined && now - fullSince >= PATIENCE_MS) cutOff();
      else if (now - startedAt >= LONGEST_MS) end(farewell('go on with Last-Event-ID', retryMs));
      else if (fullSince === undefined && !isAsking && now - sentAt >= HEARTBEAT_MS) send(HEARTBEAT);
    },
  };
};

export type Stream = ReturnType<typeof createStream>;
