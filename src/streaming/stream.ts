import { Failure } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { EncodedBatch } from './encode.ts';
import type { Receiver } from './queue.ts';

type Deps = {
  /** The position after which the stream begins. */
  after: bigint;
  audience: keyof EncodedBatch['chunks'];
  /** Has the events after a position read, later. */
  read(after: bigint, receiver: Receiver<EncodedBatch>): void;
  /** Charges for the events after the first position, up to the second; throws if the caller cannot pay. */
  charge(from: bigint, to: bigint): MaybePromise<void>;
  /** How long a client is asked to wait before it reconnects. */
  retryMs: number;
  /** Milliseconds of a monotonic clock. */
  stopwatch(): number;
  /** Called once, whether the client or the service ends the stream. */
  ended(): void;
};

const HEARTBEAT_MS = 15_000;
/** A client that takes nothing for this long is cut off. */
export const PATIENCE_MS = 30_000;
/** Clients reconnect after this long, possibly to another instance. */
const LONGEST_MS = 3_600_000;

const encoder = new TextEncoder();
const HELLO = encoder.encode(': hello\n\n');
const HEARTBEAT = encoder.encode(': still here\n\n');

/** Writes server-sent events to one client, one chunk at a time. */
const createSseWriter = ({ stopwatch, ended }: Pick<Deps, 'stopwatch' | 'ended'>, pulled: () => void) => {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let sentAt = stopwatch();
  let isTaken = false;
  let isOver = false;

  /** False if the stream is over already. */
  const finish = (): boolean => {
    if (isOver) return false;
    isOver = true;
    ended();
    return true;
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
        controller.enqueue(HELLO);
      },
      pull: () => {
        isTaken = true;
        pulled();
      },
      cancel: () => {
        finish();
      },
    },
    // No read-ahead: `pull` is called when the socket has taken everything, and not before.
    { highWaterMark: 0 },
  );

  return {
    stream,
    isOver: () => isOver,
    hasRoom: () => isTaken && !isOver,
    quietMs: () => stopwatch() - sentAt,
    send: (chunk: Uint8Array): void => {
      sentAt = stopwatch();
      isTaken = false;
      controller.enqueue(chunk);
    },
    end: (lastChunk?: Uint8Array): void => {
      if (!finish()) return;
      if (lastChunk) controller.enqueue(lastChunk);
      controller.close();
    },
    /** Closes the connection without ending the response. Given a reason, the runtime would print it. */
    cutOff: (): void => {
      if (finish()) controller.error(undefined);
    },
  };
};

/**
 * The event stream of one client. Events are read only when the client has taken the previous chunk: a slow client costs no
 * memory, because the stored events are its queue.
 */
export const createStream = ({ after, audience, read, charge, retryMs, stopwatch, ended }: Deps) => {
  const startedAt = stopwatch();
  let position = after;
  let mayBeMore = true;
  let isReading = false;

  const readMore = (): void => {
    if (isReading || !mayBeMore || !writer.hasRoom()) return;
    isReading = true;
    mayBeMore = false;
    read(position, receiver);
  };
  const writer = createSseWriter({ stopwatch, ended }, readMore);

  const accept = (batch: EncodedBatch): void => {
    isReading = false;
    if (writer.isOver()) return;
    position = batch.position;
    // A wake during the read announced more.
    mayBeMore ||= batch.mayBeMore;
    const chunk = batch.chunks[audience];
    if (chunk) writer.send(chunk);
    else readMore();
  };

  /** Ends the stream with the reason, as a comment, and the time after which to reconnect. */
  const sendAway = (reason: string, waitMs = retryMs): void =>
    writer.end(encoder.encode(`: ${reason}\nretry: ${waitMs}\n\n`));

  const receiver: Receiver<EncodedBatch> = {
    receive: (batch) => {
      if (writer.isOver()) return;
      const charged = charge(position, batch.position);
      if (charged instanceof Promise) void charged.then(() => accept(batch), receiver.fail);
      else accept(batch);
    },
    fail: (error) => {
      if (error instanceof Failure && error.retryAfterSeconds !== undefined) {
        sendAway(error.message, error.retryAfterSeconds * 1000);
      } else sendAway('events cannot be read right now');
    },
  };

  return {
    stream: writer.stream,
    end: () => writer.end(),
    sendAway: (reason: string) => sendAway(reason),
    /** Announces that there may be new events. */
    wake: () => {
      mayBeMore = true;
      readMore();
    },
    /** Sends a heartbeat, or ends the stream, if that is due; to be called about every second. */
    tend: () => {
      const hasRoom = writer.hasRoom();
      if (!hasRoom && writer.quietMs() >= PATIENCE_MS) writer.cutOff();
      else if (stopwatch() - startedAt >= LONGEST_MS) sendAway('go on with Last-Event-ID');
      else if (hasRoom && !isReading && writer.quietMs() >= HEARTBEAT_MS) writer.send(HEARTBEAT);
    },
  };
};

export type Stream = ReturnType<typeof createStream>;
