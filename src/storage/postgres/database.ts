import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import { sleep } from '../../kernel/runtime.ts';
import { type Database, refuseWrites } from '../database.ts';
import { type IdKind, READ_ONLY, type Sql } from '../sql.ts';
import { isConflict, type PostgresConnection } from './connection.ts';
import { createIdBlocks } from './id-blocks.ts';
import { openPostgresServer, type Server } from './open.ts';
import { type Bounds, createPostgresPool } from './pool.ts';
import { createRowQueues } from './queues.ts';
import { createStandby, type Standby, type StandbyOptions } from './standby.ts';
import { createTransactions, type Query, readWith } from './transaction.ts';

type Deps<Repositories> = Server & {
  use?: 'read' | 'write';
  connections: number;
  standby?: StandbyOptions | undefined;
  bind(sql: Sql, call: Call): Repositories;
};

/** Read connections also handle short writes on which reads depend, such as assigning sequence numbers. */
const divide = (connections: number) => {
  const readers = Math.round(connections * 0.4);
  const writers = connections - readers;
  // Long transactions get only a third of the write connections, so that short transactions find a free connection.
  return { readers, writers, longs: Math.ceil(writers / 3) };
};

/** Fractions of `timeoutMs`. A request may read and then write, so the two `inAll` values add up to less than 1. */
const READERS: Bounds = { wait: 0.28, inAll: 0.32 };
const WRITERS: Bounds = { wait: 0.4, inAll: 0.66 };
/** How long a transaction waits for a locked row before it starts again, as a fraction of `timeoutMs`. */
const LOCK = 0.01;

/** How long conflicting transactions are retried, as a fraction of `timeoutMs`. */
const AGAIN = 0.4;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 640;

/** At most `most` transactions wait for the same row. Each of them waits for at most `wait` times `timeoutMs`. */
const FOR_ONE_ROW = { most: 1000, wait: 2 };

const RESERVE_IDS = `INSERT INTO ids (store_id, kind, highest) VALUES ($1, $2, $3)
  ON CONFLICT (store_id, kind) DO UPDATE SET highest = ids.highest + excluded.highest RETURNING highest`;

const POLL_MS = 1000;

const createReadingSql = (ask: Query): Sql => {
  const query: Query = async (text, values) => {
    if (/^\s*(INSERT|UPDATE|DELETE)\b/.test(text)) throw new Error('cannot write outside a transaction');
    return ask(text, values);
  };
  return { ...readWith(query), ...READ_ONLY, lockRows: '', writer: 0n };
};

const reserveIds = (query: Query) => async (kind: IdKind, storeId: bigint, count: number) => {
  const [row] = await query(RESERVE_IDS, [storeId, kind, count]);
  return (row as { highest: bigint }).highest;
};

const retryConflicts = async <Result>(forMs: number, run: (asked: number) => Promise<Result>): Promise<Result> => {
  const asked = performance.now();
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await run(asked);
    } catch (error) {
      if (!isConflict(error) || performance.now() - asked > forMs) throw error;
      await sleep((0.5 + Math.random() / 2) * waitMs);
    }
  }
};

export type PostgresDatabase<Reads, Repositories> = Database<Reads, Repositories> & { standby?: Standby };

export const openPostgres = async <Reads, Repositories extends Reads>(
  deps: Deps<Repositories>,
): Promise<PostgresDatabase<Reads, Repositories>> => {
  const { timeoutMs, connections, prepare, use, standby: options, bind } = deps;
  const { connect, findPrimary } = await openPostgresServer(deps);
  const searching = setInterval(findPrimary, POLL_MS);
  const most = divide(connections);
  const readers = createPostgresPool(connect, timeoutMs, most.readers, READERS);
  const writers = createPostgresPool(connect, timeoutMs, most.writers, WRITERS);
  const query: Query = (text, values) => readers.use((connection) => connection.query(text, values));
  const reading = createReadingSql(query);
  const standby =
    options && createStandby({ ...options, timeoutMs, prepare, connections: most.readers, primary: query });
  const lagging = standby && createReadingSql(standby.query);
  const pools = { readers, writers, ...(standby && { standby }) };
  const settings = { lockMs: Math.round(LOCK * timeoutMs), nextIds: createIdBlocks(reserveIds(query)) };
  const transactions = new WeakMap<PostgresConnection, ReturnType<typeof createTransactions>>();
  const transactionsOf = (connection: PostgresConnection) =>
    transactions.getOrInsertComputed(connection, () => createTransactions(connection, settings));
  const rows = createRowQueues(FOR_ONE_ROW.most, FOR_ONE_ROW.wait * timeoutMs);
  const backlog = { pending: 0 };
  let longs = 0;

  // Returns the transaction's queue. Each queue runs one transaction at a time. Long transactions without a `row` share
  // `most.longs` queues, so at most that many of them run at the same time.
  const queueOf = (storeId: bigint, row: string | undefined, isLong: boolean): string | undefined => {
    if (row !== undefined) return `${storeId} ${row}`;
    if (!isLong) return undefined;
    longs += 1;
    return `long ${longs % most.longs}`;
  };

  return {
    read: (storeId) => bind(reading, { ...SYSTEM_CALL, storeId }),
    ...(standby && {
      standby,
      readLagging: (call: Call): Reads => bind(standby.accepts(call.sinceWriteMs) && lagging ? lagging : reading, call),
    }),
    async write(call, body, row, isLong = false) {
      if (use === 'read') return refuseWrites();
      const runBody = (sql: Sql) => body(bind(sql, call));
      const run = () =>
        retryConflicts(AGAIN * timeoutMs, (asked) =>
          writers.use((connection) => transactionsOf(connection)(runBody), asked),
        );
      const queue = queueOf(call.storeId, row, isLong);
      backlog.pending += 1;
      try {
        return await (queue === undefined ? run() : rows.run(queue, run));
      } finally {
        backlog.pending -= 1;
      }
    },
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
