import { Failure } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Portion } from './encoded-batch.ts';
import { createOutlet } from './sse-writer.ts';

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

const HEARTBEAT_MS = 15_000;
/** So long a reader may take nothing. */
export const PATIENCE_MS = 30_000;
/** So long a stream lasts; its reader comes back, to whichever instance is the right one by then. */
const LONGEST_MS = 3_600_000;

const encoder = new TextEncoder();
const HELLO = encoder.encode(': hello\n\n');
const HEARTBEAT = encoder.encode(': still here\n\n');

/** The last words of a stream: why it ends, for people, and when to come back, for programs. */
const farewell = (reason: string, retryMs: number): Uint8Array => encoder.encode(`: ${reason}\nretry: ${retryMs}\n\n`);

/**
 * Server-sent events, asked for when the reader has room for them: a slow one costs no memory, because the stored events
 * are the queue.
 */
export const createStream = ({ after, audience, ask, charge, retryMs, stopwatch, ended }: Deps) => {
  const startedAt = stopwatch();
  let position = after;
  let mayBeMore = true;
  let isAsking = false;

  const look = (): void => {
    if (isAsking || !mayBeMore || !outlet.hasRoom()) return;
    isAsking = true;
    mayBeMore = false;
    ask(position, taker);
  };
  const outlet = createOutlet(HELLO, { stopwatch, pulled: look, ended });

  const accept = (portion: Portion): void => {
    isAsking = false;
    if (outlet.isOver()) return;
    position = portion.position;
    // Whoever has woken it meanwhile knows of more.
    mayBeMore ||= portion.mayBeMore;
    const chunk = portion.chunks[audience];
    if (chunk) outlet.send(chunk);
    else look();
  };

  const fail = (error: unknown): void => {
    const [reason, ms] =
      error instanceof Failure && error.retryAfterSeconds !== undefined
        ? [error.message, error.retryAfterSeconds * 1000]
        : ['events cannot be read right now', retryMs];
    outlet.end(farewell(reason, ms));
  };

  const taker: Taker = {
    take: (portion) => {
      if (outlet.isOver()) return;
      let charged: MaybePromise<void>;
      try {
        charged = charge(position, portion.position);
      } catch (error) {
        return fail(error);
      }
      if (charged instanceof Promise) void charged.then(() => accept(portion), fail);
      else accept(portion);
    },
    fail,
  };

  return {
    stream: outlet.stream,
    end: () => outlet.end(),
    /** Ends it with an invitation to come back. */
    sendAway: (reason: string) => outlet.end(farewell(reason, retryMs)),
    /** Says that there may be something new. */
    wake: () => {
      mayBeMore = true;
      look();
    },
    /** Does what is due by now; to be called every second or so. */
    tend: () => {
      const hasRoom = outlet.hasRoom();
      if (!hasRoom && outlet.quietMs() >= PATIENCE_MS) outlet.cutOff();
      else if (stopwatch() - startedAt >= LONGEST_MS) outlet.end(farewell('go on with Last-Event-ID', retryMs));
      else if (hasRoom && !isAsking && outlet.quietMs() >= HEARTBEAT_MS) outlet.send(HEARTBEAT);
    },
  };
};

export type Stream = ReturnType<typeof createStream>;
