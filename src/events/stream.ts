import { type StoredEvent, toEventBody } from './event.ts';

/** What one read gives a stream. */
export type Portion = {
  /** Undefined if the reader may see none of the events. */
  chunk: Uint8Array | undefined;
  /** How far was read, hidden events included: they are not read again. */
  position: bigint;
  mayBeMore: boolean;
};

type Deps = {
  /** The position behind which the stream begins. */
  after: bigint;
  /** The next portion behind a position. Whoever has much to catch up on waits here, and lets others have their turn. */
  read(after: bigint): Promise<Portion>;
  heartbeatMs: number;
  /** How long a reader may take nothing while there is something new. */
  patienceMs: number;
  /** The reader went away, or was sent away. */
  ended(): void;
};

const encoder = new TextEncoder();
const HELLO = encoder.encode(': hello\n\n');
const HEARTBEAT = encoder.encode(': still here\n\n');

const encode = (event: StoredEvent): string =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(toEventBody(event))}\n\n`;

/** The portion that so many events behind a position make, if at most `most` were asked for. */
export const toPortion = (
  events: readonly StoredEvent[],
  { after, most, isShown }: { after: bigint; most: number; isShown(event: StoredEvent): boolean },
): Portion => {
  const text = events.filter(isShown).map(encode).join('');
  return {
    chunk: text === '' ? undefined : encoder.encode(text),
    position: events.at(-1)?.sequence ?? after,
    mayBeMore: events.length === most,
  };
};

/** Lets one wait until somebody rings, or until nothing has happened for so long. */
const createWakeup = (timeoutMs: number) => {
  let ring = (): void => undefined;
  return {
    ring: () => ring(),
    /** Resolves with false when nobody has rung. */
    wait: (): Promise<boolean> =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), timeoutMs);
        ring = () => {
          clearTimeout(timer);
          resolve(true);
        };
      }),
  };
};

/**
 * Server-sent events, read from the repository when the reader has room for them: a slow one costs no memory, because
 * the stored events are the queue.
 */
export const createStream = ({ after, read, heartbeatMs, patienceMs, ended }: Deps) => {
  let position = after;
  let mayBeMore = true;
  let isOver = false;
  let isCancelled = false;
  let breakOff = (_reason: Error): void => undefined;
  const wakeup = createWakeup(heartbeatMs);
  /** Since when the reader has had no room for more. */
  let fullSince: number | undefined;

  const end = (): void => {
    if (isOver) return;
    isOver = true;
    ended();
    wakeup.ring();
  };

  const next = async (): Promise<Uint8Array | undefined> => {
    while (!isOver) {
      if (!mayBeMore && !(await wakeup.wait())) return HEARTBEAT;
      mayBeMore = false;
      const portion = await read(position);
      position = portion.position;
      // Whoever has woken it meanwhile knows of more.
      if (portion.mayBeMore) mayBeMore = true;
      if (portion.chunk) return portion.chunk;
    }
    return undefined;
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        breakOff = (reason) => controller.error(reason);
        controller.enqueue(HELLO);
      },
      async pull(controller) {
        fullSince = undefined;
        const chunk = await next().catch((error) => {
          // The stream breaks off without being cancelled: nobody else would say that it is over.
          end();
          throw error;
        });
        if (!chunk) {
          if (!isCancelled) controller.close();
          return;
        }
        fullSince = performance.now();
        controller.enqueue(chunk);
      },
      cancel: () => {
        isCancelled = true;
        end();
      },
    },
    { highWaterMark: 1 },
  );

  return {
    stream,
    end,
    /** Says that there may be something new. A reader that has taken nothing for long is cut off; it can resume. */
    wake: () => {
      if (!isOver && fullSince !== undefined && performance.now() - fullSince > patienceMs) {
        end();
        breakOff(new Error('the reader is too slow'));
        return;
      }
      mayBeMore = true;
      wakeup.ring();
    },
  };
};
