import type { Environment } from '../../kernel/contract.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import { type Database, refuseWrites } from '../database.ts';
import { READ_ONLY, type Sql, type SqlValue } from '../sql.ts';
import { isConflict, isUnavailable, type PostgresConnection, unavailable } from './connection.ts';
import { openPostgresServer } from './open.ts';
import { createPostgresPool } from './pool.ts';
import { createRowQueues } from './row-queues.ts';
import { runTransaction } from './transaction.ts';

type Deps<Repositories> = {
  /** Several hosts are separated by commas. */
  url: string;
  environment: Environment;
  timeoutMs: number;
  connections: number;
  /** Refuses writes, and shows on the server that this instance cannot write. */
  isReadOnly?: boolean;
  bind(sql: Sql, call: Call): Repositories;
};

type Bounds = { wait: number; lock: number; statement: number; inAll: number };

/**
 * Divides an instance's connections: about half for writes, a third for reads, and the rest for writes that reads depend
 * on, such as event sequences. Those do not wait for other writers.
 */
const divide = (connections: number) => {
  const forReaders = Math.max(1, Math.round(connections / 11));
  const readers = Math.max(1, Math.round(connections / 2.75));
  const writers = connections - readers - forReaders;
  // Long transactions take at most a third of the connections for writes, so that the rest remain for short ones.
  return { readers, forReaders, writers, longs: Math.ceil(writers / 3) };
};

/** Bounds of reads, as fractions of the timeout, because a request first reads its key, and then reads or writes. */
const READERS: Bounds = { wait: 0.28, lock: 0.2, statement: 0.3, inAll: 0.32 };
/** Lock timeouts are short, so that transactions that wait for a locked row free their connection and retry. */
const WRITERS: Bounds = { wait: 0.4, lock: 0.01, statement: 0.6, inAll: 0.66 };
const IDLE_IN_TRANSACTION = 0.7;

/** Maximum time for retrying a transaction that conflicts with another, as a fraction of the timeout. */
const AGAIN = 0.4;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 640;

/**
 * The queue for one row: its maximum length, and the maximum wait as a multiple of the timeout. A long wait is
 * acceptable while the queue advances. If the server does not answer, the first transaction in the queue fails, and the
 * rest of the queue fails with it.
 */
const FOR_ONE_ROW = { most: 1000, wait: 2 };

/**
 * Settings of each session. Only explicit READ WRITE transactions can write. An operator may set a stronger
 * `synchronous_commit` than `on` (`remote_apply`), but never a weaker one. Sequential scans are disabled: every
 * statement has an index, and a plan that was cached for a small table must not scan the table after it has grown.
 */
const SESSION = `
  SET default_transaction_read_only = on; SET enable_seqscan = off; SET jit = off;
  SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')`;

export type PostgresDatabase<Reads, Repositories> = Database<Reads, Repositories> & {
  /** Runs a short transaction that reads depend on. Its own pool keeps it from waiting for other writers. */
  writeForReaders<Result>(call: Call, body: (repositories: Repositories) => MaybePromise<Result>): Promise<Result>;
};

/** The name of read-only sessions. `petstore move` refuses to start while other sessions are connected. */
export const READ_ONLY_NAME = 'petstore read-only';

type Connect = (settings: string) => Promise<PostgresConnection>;

const createPool = (connect: Connect, timeoutMs: number, most: number, bounds: Bounds) => {
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

const POLL_MS = 1000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

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

export const openPostgres = async <Reads, Repositories extends Reads>({
  url,
  environment,
  timeoutMs,
  connections,
  isReadOnly = false,
  bind,
}: Deps<Repositories>): Promise<PostgresDatabase<Reads, Repositories>> => {
  const server = await openPostgresServer({ url, environment, timeoutMs, use: isReadOnly ? 'read' : 'write' });
  const { findPrimary, hasOthers } = server;
  const connect: Connect = (settings) =>
    server.connect(isReadOnly ? `${settings}; SET application_name = '${READ_ONLY_NAME}'` : settings);
  const searching = hasOthers ? setInterval(findPrimary, POLL_MS) : undefined;
  const most = divide(connections);
  const readers = createPool(connect, timeoutMs, most.readers, READERS);
  const writers = createPool(connect, timeoutMs, most.writers, WRITERS);
  const writersForReaders = createPool(connect, timeoutMs, most.forReaders, READERS);
  const pools = { readers, writers, writersForReaders };
  const reading = createReadingSql(readers);
  const rows = createRowQueues({
    most: FOR_ONE_ROW.most,
    waitMs: FOR_ONE_ROW.wait * timeoutMs,
    refusal: (reason) => unavailable(new Error(reason)),
    concernsAll: isUnavailable,
  });
  const backlog = { pending: 0 };
  let longs = 0;

  /** Names a transaction's queue, which runs one transaction at a time. Long transactions share a few queues. */
  const queueOf = (storeId: bigint, row: string | undefined, isLong: boolean): string | undefined => {
    if (row !== undefined) return `${storeId} ${row}`;
    if (!isLong) return undefined;
    longs += 1;
    return `long ${longs % most.longs}`;
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
      if (isReadOnly) return refuseWrites();
      const run = () => runUntilAlone(writers, (sql) => body(bind(sql, call)));
      const queue = queueOf(call.storeId, row, isLong);
      backlog.pending += 1;
      try {
        return await (queue === undefined ? run() : rows.run(queue, run));
      } finally {
        backlog.pending -= 1;
      }
    },
    writeForReaders: (call, body) => runUntilAlone(writersForReaders, (sql) => body(bind(sql, call))),
    backlog,
    waitedMs: writers.waitedMs,
    connections: () => Object.entries(pools).map(([pool, { state }]) => ({ pool, ...state() })),
    canWrite: () => true,
    async close() {
      clearInterval(searching);
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
};
