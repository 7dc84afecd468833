type Deps = {
  /** Milliseconds of a clock that nobody sets. */
  stopwatch(): number;
  /** The reader has taken what it was sent, and has room for more. */
  pulled(): void;
  /** The reader went away, or was sent away. */
  ended(): void;
};

/** The way to one reader, on which one chunk at a time waits to be taken. */
export const createOutlet = (first: Uint8Array, { stopwatch, pulled, ended }: Deps) => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let sentAt = stopwatch();
  let isTaken = false;
  let isOver = false;

  /** Whether it is this that ends it. */
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
        controller.enqueue(first);
      },
      pull: () => {
        isTaken = true;
        pulled();
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
    isOver: () => isOver,
    hasRoom: () => isTaken && !isOver,
    /** How long ago the last chunk was sent. */
    quietMs: () => stopwatch() - sentAt,
    send: (chunk: Uint8Array): void => {
      sentAt = stopwatch();
      isTaken = false;
      controller?.enqueue(chunk);
    },
    end: (lastWords?: Uint8Array): void => {
      if (!finish()) return;
      if (lastWords) controller?.enqueue(lastWords);
      controller?.close();
    },
    /** Ends it without waiting for the reader to take anything. */
    cutOff: (): void => {
      // The runtime closes the connection without an end of the answer. It would print a reason, if it were given one.
      if (finish()) controller?.error(undefined);
    },
  };
};
