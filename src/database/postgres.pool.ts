import type { PostgresConnection } from './postgres.connection.ts';
import { unavailable } from './postgres.errors.ts';

/** How long a request waits for a connection before it is refused. */
const WAIT_MS = 2000;
/** How long it may take in all, from asking for a connection on: a server that does not answer holds nobody longer. */
const IN_ALL_MS = 4500;

type Waiter = {
  resolve(connection: PostgresConnection): void;
  reject(error: unknown): void;
  timer: Timer;
  since: number;
};

type Deps = { connect(): Promise<PostgresConnection>; most: number };

/** Connections to the primary, made when they are needed and kept until they break. */
export const createPostgresPool = ({ connect, most }: Deps) => {
  const idle: PostgresConnection[] = [];
  const waiting: Waiter[] = [];
  /** Those that exist or are being made. */
  let open = 0;
  let connecting = 0;
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
      leave();
      // As long as others are open, those who wait may still get one of them.
      if (open === 0) refuseAll(unavailable(error));
    }
  };

  const take = (): Promise<PostgresConnection> => {
    const free = idle.pop();
    if (free) return Promise.resolve(free);
    if (isClosed) return Promise.reject(unavailable(new Error('the database is closed')));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(unavailable(new Error(`no connection was free within ${WAIT_MS} ms`)));
      }, WAIT_MS);
      const waiter: Waiter = { resolve, reject, timer, since: performance.now() };
      waiting.push(waiter);
      void grow();
    });
  };

  const giveBack = (connection: PostgresConnection): void => {
    if (connection.isBroken()) {
      leave();
      void grow();
    } else hand(connection);
  };

  return {
    /** Runs `work` on a connection of its own. */
    async use<Result>(work: (connection: PostgresConnection) => Promise<Result>): Promise<Result> {
      const asked = performance.now();
      const connection = await take();
      const timer = setTimeout(
        () => connection.cut('the server takes too long to answer'),
        IN_ALL_MS - (performance.now() - asked),
      );
      try {
        return await work(connection);
      } finally {
        clearTimeout(timer);
        giveBack(connection);
      }
    },

    /** How long the first of those who wait for a connection has waited. */
    waitedMs: () => (waiting[0] ? performance.now() - waiting[0].since : 0),

    /** Waits for what is under way, and ends every connection. */
    async close(): Promise<void> {
      isClosed = true;
      const ended = new Promise<void>((resolve) => {
        whenEmpty = resolve;
      });
      for (const connection of idle.splice(0)) void connection.end().finally(leave);
      if (open > 0) await ended;
    },
  };
};
