import { type Connect, type PostgresConnection, unavailable } from './connection.ts';
import { createWaiters } from './queues.ts';

/** Connections that have been idle for this long are closed, so that other instances can open more connections. */
const SPARE_MS = 5000;
// If an attempt to connect fails while other connections are open, the server has probably reached its connection
// limit. In that case, the pool waits this long before the next attempt.
const FULL_MS = 100;

/** Fractions of the timeout. `wait` limits the wait for a connection. `inAll` limits that wait plus the operation. */
export type Bounds = { wait: number; inAll: number };

const createConnections = (connect: Connect, most: number, waitMs: number) => {
  const waiters = createWaiters<PostgresConnection>(waitMs, `no connection was free within ${waitMs} ms`);
  const idle: PostgresConnection[] = [];
  /** The lowest number of idle connections since the last call to `endSpare`. The next call closes that many. */
  let spare = 0;
  let open = 0;
  let connecting = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const empty = Promise.withResolvers<void>();

  const leave = (): void => {
    open -= 1;
    if (isClosed && open === 0) empty.resolve();
  };
  const endIdle = (count: number): void => {
    for (const connection of idle.splice(0, count)) void connection.end().finally(leave);
  };
  const endSpare = (): void => {
    endIdle(Math.min(spare, open - 1));
    spare = idle.length;
  };
  const hand = (connection: PostgresConnection): void => {
    if (!waiters.resolveFirst(connection)) idle.push(connection);
    if (isClosed) endIdle(idle.length);
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
      connection.onBroken(() => {
        const at = idle.indexOf(connection);
        if (at < 0) return;
        idle.splice(at, 1);
        leave();
      });
      hand(connection);
    } catch (error) {
      failedAt = performance.now();
      leave();
      // If another connection is open, the waiting requests may still get that connection.
      if (open === 0) waiters.rejectAll(unavailable(error));
    }
  };

  const shrinking = setInterval(endSpare, SPARE_MS);

  return {
    async acquire(): Promise<PostgresConnection> {
      const free = idle.pop();
      spare = Math.min(spare, idle.length);
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
    state: () => ({ idle: idle.length, busy: open - connecting - idle.length, waiting: waiters.count() }),
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(shrinking);
      endIdle(idle.length);
      if (open > 0) await empty.promise;
    },
  };
};

export const createPostgresPool = (connect: Connect, timeoutMs: number, most: number, bounds: Bounds) => {
  const inAllMs = Math.round(bounds.inAll * timeoutMs);
  const { acquire, release, ...pool } = createConnections(connect, most, Math.round(bounds.wait * timeoutMs));

  return {
    ...pool,
    /** For a retry, `asked` is the time of the first attempt, so that all attempts share one timeout. */
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
  };
};
