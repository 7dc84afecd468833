import type { PostgresConnection } from './connection.ts';
import { unavailable } from './errors.ts';

/** After so long the connections that nobody needed meanwhile are ended, but for one: other instances may need them. */
const SPARE_MS = 5000;
/** A server that has no connection to spare is not asked again for so long, while there are others. */
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
  /** How long a request waits for a connection before it is refused. */
  waitMs: number;
  /** How long it may take in all, from asking on: a server that does not answer holds nobody longer. */
  inAllMs: number;
};

/** Those who wait for a connection, each for so long. */
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

/** Connections that nobody uses now. Each that is ended or breaks has left. */
const createIdle = (leave: () => void) => {
  const idle: PostgresConnection[] = [];
  /** How few there were at any time since the last look. */
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
    /** Ends those that nobody needed since the last look. */
    endSpare(most: number): void {
      end(Math.min(spare, most));
      spare = idle.length;
    },
  };
};

/** Connections made when they are needed and kept until they break or nobody needs them. */
const createConnections = ({ connect, most, waitMs }: Omit<Deps, 'inAllMs'>) => {
  const waiters = createWaiters(waitMs);
  /** Those that exist or are being made. */
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
      // As long as others are open, those who wait may still get one of them.
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

    /** Waits for what is under way, and ends every connection. */
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

/** Connections to the primary, of which each work has one to itself, for a bounded time. */
export const createPostgresPool = ({ inAllMs, ...deps }: Deps) => {
  const { acquire, release, waitedMs, state, close } = createConnections(deps);

  return {
    /** Runs `work` on a connection of its own. Whoever comes again says since when they have been asking. */
    async use<Result>(
      work: (connection: PostgresConnection) => Promise<Result>,
      asked = performance.now(),
    ): Promise<Result> {
      const connection = await acquire();
      const leftMs = inAllMs - (performance.now() - asked);
      const timer = setTimeout(() => connection.cut('the server takes too long to answer'), leftMs);
      try {
        if (leftMs <= 0) throw unavailable(new Error(`nothing came of it within ${inAllMs} ms`));
        return await work(connection);
      } finally {
        clearTimeout(timer);
        release(connection);
      }
    },

    /** How long the first of those who wait for a connection has waited. */
    waitedMs,
    /** How many connections are idle and busy, and how many wait for one. */
    state,
    close,
  };
};
