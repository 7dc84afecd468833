import { type Call, OWN_CALL } from '../kernel/operation.ts';
import type { Database } from './database.ts';
import { isConflict } from './postgres.errors.ts';
import { openPostgresServer } from './postgres.open.ts';
import { createPostgresPool } from './postgres.pool.ts';
import { runTransaction } from './postgres.transaction.ts';
import type { Sql, SqlValue } from './sql.ts';

type Deps<Stores> = {
  /** `postgres://user:password@host:port/name`; several hosts are separated by commas. */
  url: string;
  environment: string;
  /** The stores of one call on one connection. */
  bind(sql: Sql, call: Call): Stores;
};

/** Four instances fit into the hundred connections that a server allows unless it is told otherwise. */
const MOST_READING = 8;
const MOST_WRITING = 12;

/** A transaction that met another is run so often in all; each wait is up to twice as long as the one before. */
const MOST_RUNS = 5;
const FIRST_WAIT_MS = 10;

/** An operator may ask for more than `on` (`remote_apply`), never for less. */
const SESSION = `
  SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
  SET statement_timeout = '3s'; SET lock_timeout = '2s'; SET idle_in_transaction_session_timeout = '5s'`;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The engine for many instances: a pool of connections that read, and one whose transactions write. */
export const openPostgres = async <Reads, Stores extends Reads>({
  url,
  environment,
  bind,
}: Deps<Stores>): Promise<Database<Reads, Stores>> => {
  const connect = await openPostgresServer(url, environment);
  const readers = createPostgresPool({ connect: () => connect(SESSION), most: MOST_READING });
  const writers = createPostgresPool({
    connect: () => connect(`${SESSION}; SET default_transaction_read_only = on`),
    most: MOST_WRITING,
  });
  const refuse = (): never => {
    throw new Error('nothing is written outside a transaction');
  };
  const query = async (text: string, values: readonly SqlValue[]) =>
    text.startsWith('SELECT') ? readers.use((connection) => connection.query(text, values)) : refuse();
  const reading: Sql = {
    one: async <Row>(text: string, values: readonly SqlValue[]) => (await query(text, values))[0] as Row | undefined,
    all: async <Row>(text: string, values: readonly SqlValue[]) => (await query(text, values)) as Row[],
    run: async () => refuse(),
    nextId: async () => refuse(),
    tryLock: async () => refuse(),
    afterCommit: refuse,
    lockRows: '',
    writer: 0n,
  };
  let waiting = 0;

  const runUntilAlone = async <Result>(body: (sql: Sql) => Promise<Result>): Promise<Result> => {
    for (let run = 1; ; run += 1) {
      try {
        return await writers.use((connection) => runTransaction(connection, body));
      } catch (error) {
        if (!isConflict(error) || run === MOST_RUNS) throw error;
        await sleep(Math.random() * FIRST_WAIT_MS * 2 ** run);
      }
    }
  };

  return {
    read: (storeId) => bind(reading, { ...OWN_CALL, storeId }),
    async write(call, body) {
      waiting += 1;
      try {
        return await runUntilAlone((sql) => body(bind(sql, call)));
      } finally {
        waiting -= 1;
      }
    },
    waiting: () => waiting,
    waitedMs: writers.waitedMs,
    async close() {
      await Promise.all([readers.close(), writers.close()]);
    },
  };
};
