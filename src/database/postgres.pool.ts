import type { PostgresConnection } from './postgres.connection.ts';
import { unavailable } from './postgres.errors.ts';

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

/** Connections to the primary, made when they are needed and kept until they break or nobody needs them. */
export const createPostgresPool = ({ connect, most, waitMs, inAllMs }: Deps) => {
  const idle: PostgresConnection[] = [];
  const waiting: Waiter[] = [];
  /** Those that exist or are being made. */
  let open = 0;
  let connecting = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** How few were idle at any time since the last look. */
  let spare = 0;
  let isClosed = false;
  let whenEmpty: () => void = () => undefined;

  const leave = (): void => {
    open -= 1;
    if (open === 0) whenEmpty();
  };

  const refuseAll = (error: unknown): void => {
    for (const { reject, timer } of waiting.splice(0)) {
      clearTimeout(timer);
      reject(error);
    }
  };

  const hand = (connection: PostgresConnection): void => {
    const next = waiting.shift();
    if (!next) {
      if (isClosed) void connection.end().finally(leave);
      else idle.push(connection);
      return;
    }
    clearTimeout(next.timer);
    next.resolve(connection);
  };

  const grow = async (): Promise<void> => {
    if (open >= most || connecting >= waiting.length) return;
    if (open > 0 && performance.now() - failedAt < FULL_MS) return;
    open += 1;
    connecting += 1;
    try {
      const connection = await connect();
      connection.onBroken(() => {
        const at = idle.indexOf(connection);
        if (at < 0) return;
        idle.splice(at, 1);
        leave();
      });
      connecting -= 1;
      hand(connection);
    } catch (error) {
      connecting -= 1;
      failedAt = performance.now();
      leave();
      // As long as others are open, those who wait may still get one of them.
      if (open === 0) refuseAll(unavailable(error));
    }
  };

  const acquire = (): Promise<PostgresConnection> => {
    const free = idle.pop();
    spare = Math.min(spare, idle.length);
    if (free) return Promise.resolve(free);
    if (isClosed) return Promise.reject(unavailable(new Error('the database is closed')));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(unavailable(new Error(`no connection was free within ${waitMs} ms`)));
      }, waitMs);
      const waiter: Waiter = { resolve, reject, timer, since: performance.now() };
      waiting.push(waiter);
      void grow();
    });
  };

  const release = (connection: PostgresConnection): void => {
    if (connection.isBroken()) {
      leave();
      void grow();
    } else hand(connection);
  };

  const shrinking = setInterval(() => {
    for (const connection of idle.splice(0, Math.min(spare, open - 1))) void connection.end().finally(leave);
    spare = idle.length;
  }, SPARE_MS);

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
    waitedMs: () => (waiting[0] ? performance.now() - waiting[0].since : 0),

    /** Waits for what is under way, and ends every connection. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(shrinking);
      const ended = new Promise<void>((resolve) => {
        whenEmpty = resolve;
      });
      for (const connection of idle.splice(0)) void connection.end().finally(leave);
      if (open > 0) await ended;
    },
  };
};
