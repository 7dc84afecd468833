import type { Environment } from '../../kernel/environment.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../database.ts';
import { READ_ONLY, type Sql, type SqlValue } from '../sql.ts';
import type { PostgresConnection } from './connection.ts';
import { isConflict, isUnavailable, unavailable } from './errors.ts';
import { openPostgresServer } from './open.ts';
import { createPostgresPool } from './pool.ts';
import { createRowQueues } from './row-queues.ts';
import { runTransaction } from './transaction.ts';

type Deps<Repositories> = {
  /** `postgres://user:password@host:port/name`; several hosts are separated by commas. */
  url: string;
  environment: Environment;
  /** Every wait for the server is a part of this. */
  timeoutMs: number;
  /** The repositories of one call on one connection. */
  bind(sql: Sql, call: Call): Repositories;
};

type Bounds = { most: number; wait: number; lock: number; statement: number; inAll: number };

/**
 * Four instances fit into the hundred connections that a server allows unless it is told otherwise. All times are parts of
 * the time-out: a request reads its key, and then reads or writes.
 */
const READERS: Bounds = { most: 8, wait: 0.28, lock: 0.2, statement: 0.3, inAll: 0.32 };
/** Who waits for a row gives its connection up soon, and comes again: many who want one row must not take all there are. */
const WRITERS: Bounds = { most: 12, wait: 0.4, lock: 0.01, statement: 0.6, inAll: 0.66 };
/** For what is to be written before something can be read: whoever reads waits for no writer. */
const WRITERS_FOR_READERS: Bounds = { ...READERS, most: 2 };
const IDLE_IN_TRANSACTION = 0.7;

/** A transaction that met another is run again for so long; each wait is up to twice as long as the one before. */
const AGAIN = 0.4;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 640;

/**
 * So long a request waits for those before it that want the same row, while they are served: longer than for a server
 * that does not answer, which the first of them finds out for all.
 */
const FOR_ONE_ROW = { most: 1000, wait: 2 };

/** So many transactions that take long run at a time, of all that write: a short one finds a connection. */
const LONG_AT_ONCE = 4;

/**
 * Nothing can be written but in a transaction that says so, as those that write do. An operator may ask for more than
 * `on` (`remote_apply`), never for less. Every statement has its index, and plans are kept: one that was made while a
 * table was small must not read all of it later.
 */
const SESSION = `
  SET default_transaction_read_only = on; SET enable_seqscan = off; SET jit = off;
  SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')`;

export type PostgresDatabase<Reads, Repositories> = Database<Reads, Repositories> & {
  /**
   * Runs a short transaction that readers wait for, on a connection kept for such: it waits for no other writer, and for
   * a row as long as a read may take.
   */
  writeForReaders<Result>(call: Call, body: (repositories: Repositories) => MaybePromise<Result>): Promise<Result>;
};

type Connect = (settings: string) => Promise<PostgresConnection>;

const createPool = (connect: Connect, timeoutMs: number, { most, ...bounds }: Bounds) => {
  const ms = (part: number): number => Math.round(part * timeoutMs);
  const settings = `${SESSION}; SET lock_timeout = ${ms(bounds.lock)};
    SET statement_timeout = ${ms(bounds.statement)};
    SET idle_in_transaction_session_timeout = ${ms(IDLE_IN_TRANSACTION)}`;
  return createPostgresPool({
    connect: () => connect(settings),
    most,
    waitMs: ms(bounds.wait),
    inAllMs: ms(bounds.inAll),
  });
};

/** How often the servers that are not the primary are asked whether they have become it. */
const LOOK_EVERY_MS = 1000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Shows what is committed, each statement on whatever connection is free. */
const createReadingSql = (readers: ReturnType<typeof createPostgresPool>): Sql => {
  const query = (text: string, values: readonly SqlValue[]) =>
    readers.use((connection) => connection.query(text, values));
  return {
    one: async <Row>(text: string, values: readonly SqlValue[]) => (await query(text, values))[0] as Row | undefined,
    all: async <Row>(text: string, values: readonly SqlValue[]) => (await query(text, values)) as Row[],
    ...READ_ONLY,
    isSoleWriter: false,
    lock: READ_ONLY.run,
    tryLock: READ_ONLY.run,
    lockRows: '',
    mergesParts: false,
    writer: 0n,
  };
};

/** The engine for many instances: a pool of connections that read, and one whose transactions write. */
export const openPostgres = async <Reads, Repositories extends Reads>({
  url,
  environment,
  timeoutMs,
  bind,
}: Deps<Repositories>): Promise<PostgresDatabase<Reads, Repositories>> => {
  const { connect, findPrimary, hasOthers } = await openPostgresServer({ url, environment, timeoutMs });
  const searching = hasOthers ? setInterval(findPrimary, LOOK_EVERY_MS) : undefined;
  const readers = createPool(connect, timeoutMs, READERS);
  const writers = createPool(connect, timeoutMs, WRITERS);
  const writersForReaders = createPool(connect, timeoutMs, WRITERS_FOR_READERS);
  const pools = { readers, writers, writersForReaders };
  const reading = createReadingSql(readers);
  const rows = createRowQueues({
    most: FOR_ONE_ROW.most,
    waitMs: FOR_ONE_ROW.wait * timeoutMs,
    refusal: (reason) => unavailable(new Error(reason)),
    concernsAll: isUnavailable,
  });
  let waiting = 0;
  let longs = 0;

  /** Those of one name run one after another: all who want one row, and those that take long, in as many names as may run at a time. */
  const queueOf = (storeId: bigint, row: string | undefined, isLong: boolean): string | undefined => {
    if (row !== undefined) return `${storeId} ${row}`;
    if (!isLong) return undefined;
    longs += 1;
    return `long ${longs % LONG_AT_ONCE}`;
  };

  const runUntilAlone = async <Result>(
    pool: typeof writers,
    body: (sql: Sql) => MaybePromise<Result>,
  ): Promise<Result> => {
    const asked = performance.now();
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      try {
        return await pool.use((connection) => runTransaction(connection, body), asked);
      } catch (error) {
        if (!isConflict(error) || performance.now() - asked > AGAIN * timeoutMs) throw error;
        await sleep((0.5 + Math.random() / 2) * waitMs);
      }
    }
  };

  return {
    read: (storeId) => bind(reading, { ...SYSTEM_CALL, storeId }),
    async write(call, body, row, isLong = false) {
      const run = () => runUntilAlone(writers, (sql) => body(bind(sql, call)));
      const queue = queueOf(call.storeId, row, isLong);
      waiting += 1;
      try {
        return await (queue === undefined ? run() : rows.run(queue, run));
      } finally {
        waiting -= 1;
      }
    },
    writeForReaders: (call, body) => runUntilAlone(writersForReaders, (sql) => body(bind(sql, call))),
    waiting: () => waiting,
    waitedMs: writers.waitedMs,
    connections: () => Object.entries(pools).map(([pool, { state }]) => ({ pool, ...state() })),
    // Where it cannot now, it may in a moment.
    canWrite: () => true,
    async close() {
      clearInterval(searching);
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
};
