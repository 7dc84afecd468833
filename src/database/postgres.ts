import type { Environment } from '../kernel/environment.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import { type Call, SYSTEM_CALL } from '../kernel/operation.ts';
import type { Database } from './database.ts';
import { isConflict, isUnavailable, unavailable } from './postgres.errors.ts';
import { openPostgresServer } from './postgres.open.ts';
import { createPostgresPool } from './postgres.pool.ts';
import { runTransaction } from './postgres.transaction.ts';
import { createRowQueues } from './row-queues.ts';
import type { Sql, SqlValue } from './sql.ts';

type Deps<Repositories> = {
  /** `postgres://user:password@host:port/name`; several hosts are separated by commas. */
  url: string;
  environment: Environment;
  /** The repositories of one call on one connection. */
  bind(sql: Sql, call: Call): Repositories;
};

/**
 * Four instances fit into the hundred connections that a server allows unless it is told otherwise. A request reads its
 * key and then reads or writes: together it is answered within five seconds.
 */
const READERS = { most: 8, waitMs: 1400, inAllMs: 1600 };
const WRITERS = { most: 12, waitMs: 2000, inAllMs: 3300 };

/** A transaction that met another is run again for so long; each wait is up to twice as long as the one before. */
const AGAIN_MS = 2000;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 640;

/**
 * So long a request waits for those before it that want the same row, while they are served: longer than for a server
 * that does not answer, which the first of them finds out for all.
 */
const FOR_ONE_ROW = { most: 1000, waitMs: 10_000 };

/**
 * Nothing can be written but in a transaction that says so, as only those of `write` do. An operator may ask for more than
 * `on` (`remote_apply`), never for less. Every statement has its index, and plans are kept: one that was made while a
 * table was small must not read all of it later.
 */
const SESSION = `
  SET default_transaction_read_only = on; SET enable_seqscan = off; SET jit = off;
  SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
  SET idle_in_transaction_session_timeout = '3500ms'`;

const READING = `${SESSION}; SET statement_timeout = '1500ms'; SET lock_timeout = '1s'`;

/** Who waits for a row gives its connection up soon, and comes again: many who want one row must not take all there are. */
const WRITING = `${SESSION}; SET statement_timeout = '3s'; SET lock_timeout = '50ms'`;

/** How often the servers that are not the primary are asked whether they have become it. */
const LOOK_EVERY_MS = 1000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const refuse = (): never => {
  throw new Error('nothing is written outside a transaction');
};

/** Shows what is committed, each statement on whatever connection is free. */
const createReadingSql = (readers: ReturnType<typeof createPostgresPool>): Sql => {
  const query = (text: string, values: readonly SqlValue[]) =>
    readers.use((connection) => connection.query(text, values));
  return {
    one: async <Row>(text: string, values: readonly SqlValue[]) => (await query(text, values))[0] as Row | undefined,
    all: async <Row>(text: string, values: readonly SqlValue[]) => (await query(text, values)) as Row[],
    run: async () => refuse(),
    add: async () => refuse(),
    total: async () => refuse(),
    writeCounters: () => undefined,
    nextId: async () => refuse(),
    tryLock: async () => refuse(),
    afterCommit: refuse,
    isReadOnly: true,
    lockRows: '',
    mergesParts: false,
    writer: 0n,
  };
};

/** The engine for many instances: a pool of connections that read, and one whose transactions write. */
export const openPostgres = async <Reads, Repositories extends Reads>({
  url,
  environment,
  bind,
}: Deps<Repositories>): Promise<Database<Reads, Repositories>> => {
  const { connect, findPrimary, hasOthers } = await openPostgresServer(url, environment);
  const searching = hasOthers ? setInterval(findPrimary, LOOK_EVERY_MS) : undefined;
  const readers = createPostgresPool({ connect: () => connect(READING), ...READERS });
  const writers = createPostgresPool({ connect: () => connect(WRITING), ...WRITERS });
  const reading = createReadingSql(readers);
  const rows = createRowQueues({
    ...FOR_ONE_ROW,
    refusal: (reason) => unavailable(new Error(reason)),
    concernsAll: isUnavailable,
  });
  let waiting = 0;

  const runUntilAlone = async <Result>(body: (sql: Sql) => MaybePromise<Result>): Promise<Result> => {
    const asked = performance.now();
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      try {
        return await writers.use((connection) => runTransaction(connection, body), asked);
      } catch (error) {
        if (!isConflict(error) || performance.now() - asked > AGAIN_MS) throw error;
        await sleep((0.5 + Math.random() / 2) * waitMs);
      }
    }
  };

  return {
    read: (storeId) => bind(reading, { ...SYSTEM_CALL, storeId }),
    async write(call, body, row) {
      const run = () => runUntilAlone((sql) => body(bind(sql, call)));
      waiting += 1;
      try {
        return await (row === undefined ? run() : rows.run(`${call.storeId} ${row}`, run));
      } finally {
        waiting -= 1;
      }
    },
    waiting: () => waiting,
    waitedMs: writers.waitedMs,
    // Where it cannot now, it may in a moment.
    canWrite: () => true,
    async close() {
      clearInterval(searching);
      await Promise.all([readers.close(), writers.close()]);
    },
  };
};
