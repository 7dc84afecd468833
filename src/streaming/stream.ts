import { Failure } from '../kernel/failure.ts';
import type { Elapsed, MaybePromise } from '../kernel/runtime.ts';
import { toEventBody } from '../resources/events/event.body.ts';
import { OPERATORS_TYPE, type StoredEvent } from '../resources/events/event.ts';
import type { Receiver } from './queue.ts';

const encoder = new TextEncoder();

const encode = (event: StoredEvent): string =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(toEventBody(event))}\n\n`;

const toChunk = (texts: readonly string[]): Uint8Array | undefined =>
  texts.length === 0 ? undefined : encoder.encode(texts.join(''));

export const encodeBatch = (events: readonly StoredEvent[], { after, most }: { after: bigint; most: number }) => {
  const texts = events.map(encode);
  const operators = toChunk(texts);
  const shown = texts.filter((_, index) => !OPERATORS_TYPE.test(events[index]?.type ?? ''));
  return {
    /** The chunk for `operators` also includes events about keys and webhooks. */
    chunks: { operators, others: shown.length === texts.length ? operators : toChunk(shown) },
    position: events.at(-1)?.sequence ?? after,
    mayBeMore: events.length === most,
  };
};

export type EncodedBatch = ReturnType<typeof encodeBatch>;

type Deps = {
  after: bigint;
  audience: keyof EncodedBatch['chunks'];
  read(after: bigint, receiver: Receiver<EncodedBatch>): void;
  /** Charges for the events after `from`, up to and including `to`. Throws if this exceeds the caller's rate limit. */
  charge(from: bigint, to: bigint): MaybePromise<void>;
  retryMs: number;
  elapsed: Elapsed;
  /** Called exactly once, whether the client or the service closes the stream. */
  ended(): void;
};

const HEARTBEAT_MS = 15_000;
export const PATIENCE_MS = 30_000;
/** A stream ends after this many milliseconds, so that its client reconnects, possibly to another instance. */
const LONGEST_MS = 3_600_000;

const HELLO = encoder.encode(': hello\n\n');
const HEARTBEAT = encoder.encode(': still here\n\n');

const createSseWriter = ({ elapsed, ended }: Pick<Deps, 'elapsed' | 'ended'>, pulled: () => void) => {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let sentAt = elapsed();
  let isTaken = false;
  let isOver = false;

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
      cancel: () => void finish(),
    },
    // With a value of 0, the runtime calls `pull` only after it has written all earlier chunks to the socket.
    { highWaterMark: 0 },
  );

  return {
    stream,
    isOver: () => isOver,
    hasRoom: () => isTaken && !isOver,
    quietMs: () => elapsed() - sentAt,
    send: (chunk: Uint8Array): void => {
      sentAt = elapsed();
      isTaken = false;
      controller.enqueue(chunk);
    },
    end: (lastChunk?: Uint8Array): void => {
      if (!finish()) return;
      if (lastChunk) controller.enqueue(lastChunk);
      controller.close();
    },
    /** Passes no reason to `controller.error`, because the runtime would print it. */
    cutOff: (): void => {
      if (finish()) controller.error(undefined);
    },
  };
};

/**
 * Reads more events only after the last chunk has been written to the socket, so a slow client uses no extra memory.
 */
export const createStream = ({ after, audience, read, charge, retryMs, elapsed, ended }: Deps) => {
  const startedAt = elapsed();
  let position = after;
  let mayBeMore = true;
  let isReading = false;

  const readMore = (): void => {
    if (isReading || !mayBeMore || !writer.hasRoom()) return;
    isReading = true;
    mayBeMore = false;
    read(position, receiver);
  };
  const writer = createSseWriter({ elapsed, ended }, readMore);

  const accept = (batch: EncodedBatch): void => {
    isReading = false;
    if (writer.isOver()) return;
    position = batch.position;
    // This line must not reset `mayBeMore` to false, because `wake` may have set it to true during the read.
    mayBeMore ||= batch.mayBeMore;
    const chunk = batch.chunks[audience];
    if (chunk) writer.send(chunk);
    else readMore();
  };

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
    wake: () => {
      mayBeMore = true;
      readMore();
    },
    /** Must be called about once a second. */
    tend: () => {
      const hasRoom = writer.hasRoom();
      if (!hasRoom && writer.quietMs() >= PATIENCE_MS) writer.cutOff();
      else if (elapsed() - startedAt >= LONGEST_MS) sendAway('reconnect with Last-Event-ID');
      else if (hasRoom && !isReading && writer.quietMs() >= HEARTBEAT_MS) writer.send(HEARTBEAT);
    },
  };
};

export type Stream = ReturnType<typeof createStream>;
