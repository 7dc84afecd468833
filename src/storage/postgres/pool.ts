import { type PostgresConnection, unavailable } from './connection.ts';

/** Connections idle for this many milliseconds are closed, so that other instances can use them. One stays open. */
const SPARE_MS = 5000;
/** Milliseconds to wait if connecting fails while other connections are open: the server is probably at its limit. */
const FULL_MS = 100;

type Waiter = {
  resolve(connection: PostgresConnection): void;
  reject(error: unknown): void;
  timer: Timer;
  since: number;
};

type Deps = {
  connect(): Promise<PostgresConnection>;
  most: number;
  waitMs: number;
};

/** Fractions of the timeout. `inAll` includes the wait for a connection. */
export type Bounds = { wait: number; inAll: number };

const createWaiters = (waitMs: number) => {
  const waiting: Waiter[] = [];
  const next = (): Waiter | undefined => {
    const first = waiting.shift();
    clearTimeout(first?.timer);
    return first;
  };
  return {
    count: () => waiting.length,
    waitedMs: () => (waiting[0] ? performance.now() - waiting[0].since : 0),
    next,
    add: () =>
      new Promise<PostgresConnection>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(waiter), 1);
          reject(unavailable(new Error(`no connection was free within ${waitMs} ms`)));
        }, waitMs);
        const waiter: Waiter = { resolve, reject, timer, since: performance.now() };
        waiting.push(waiter);
      }),
    refuseAll(error: unknown): void {
      for (let waiter = next(); waiter; waiter = next()) waiter.reject(error);
    },
  };
};

const createIdle = (leave: () => void) => {
  const idle: PostgresConnection[] = [];
  /** The lowest number of idle connections since the last call to `endSpare`. That many connections were not needed. */
  let spare = 0;
  const end = (count = idle.length): void => {
    for (const connection of idle.splice(0, count)) void connection.end().finally(leave);
  };
  return {
    count: () => idle.length,
    push: (connection: PostgresConnection) => idle.push(connection),
    pop(): PostgresConnection | undefined {
      const connection = idle.pop();
      spare = Math.min(spare, idle.length);
      return connection;
    },
    drop(connection: PostgresConnection): void {
      const at = idle.indexOf(connection);
      if (at < 0) return;
      idle.splice(at, 1);
      leave();
    },
    end,
    endSpare(most: number): void {
      end(Math.min(spare, most));
      spare = idle.length;
    },
  };
};

const createConnections = ({ connect, most, waitMs }: Deps) => {
  const waiters = createWaiters(waitMs);
  let open = 0;
  let connecting = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let whenEmpty: () => void = () => undefined;

  const leave = (): void => {
    open -= 1;
    if (open === 0) whenEmpty();
  };
  const idle = createIdle(leave);

  const hand = (connection: PostgresConnection): void => {
    const waiter = waiters.next();
    if (waiter) waiter.resolve(connection);
    else idle.push(connection);
    if (isClosed) idle.end();
  };

  const grow = async (): Promise<void> => {
    if (open >= most || connecting >= waiters.count()) return;
    if (open > 0 && performance.now() - failedAt < FULL_MS) return;
    open += 1;
    connecting += 1;
    try {
      const connection = await connect().finally(() => {
        connecting -= 1;
      });
      connection.onBroken(() => idle.drop(connection));
      hand(connection);
    } catch (error) {
      failedAt = performance.now();
      leave();
      // As long as another connection is open, waiting requests may still get it.
      if (open === 0) waiters.refuseAll(unavailable(error));
    }
  };

  const shrinking = setInterval(() => idle.endSpare(open - 1), SPARE_MS);

  return {
    async acquire(): Promise<PostgresConnection> {
      const free = idle.pop();
      if (free) return free;
      if (isClosed) throw unavailable(new Error('the database is closed'));
      const given = waiters.add();
      void grow();
      return given;
    },

    release(connection: PostgresConnection): void {
      if (connection.isBroken()) {
        leave();
        void grow();
      } else hand(connection);
    },

    waitedMs: waiters.waitedMs,
    state: () => ({ idle: idle.count(), busy: open - connecting - idle.count(), waiting: waiters.count() }),

    async close(): Promise<void> {
      isClosed = true;
      clearInterval(shrinking);
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      whenEmpty = resolve;
      idle.end();
      if (open > 0) await ended;
    },
  };
};

export const createPostgresPool = (connect: Deps['connect'], timeoutMs: number, most: number, bounds: Bounds) => {
  const inAllMs = Math.round(bounds.inAll * timeoutMs);
  const waitMs = Math.round(bounds.wait * timeoutMs);
  const { acquire, release, waitedMs, state, close } = createConnections({ connect, most, waitMs });

  return {
    /** A retry passes the time of the first attempt as `asked`, so that all attempts share one timeout. */
    async use<Result>(
      work: (connection: PostgresConnection) => Promise<Result>,
      asked = performance.now(),
    ): Promise<Result> {
      const connection = await acquire();
      const leftMs = inAllMs - (performance.now() - asked);
      const timer = setTimeout(() => connection.cut('the server did not respond in time'), leftMs);
      try {
        if (leftMs <= 0) throw unavailable(new Error(`timed out after ${inAllMs} ms`));
        return await work(connection);
      } finally {
        clearTimeout(timer);
        release(connection);
      }
    },

    waitedMs,
    state,
    close,
  };
};
