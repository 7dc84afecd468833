import type { MaybePromise } from '../../kernel/runtime.ts';
import type { Counter, IdKind, Sql, SqlValue } from '../sql.ts';
import { type PostgresConnection, unavailable } from './connection.ts';
import { type Statement, toOneStatement } from './one-statement.ts';

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Locks the row until commit, so counts appear in order: a reader that sees count 8 also sees changes 1 to 7. */
const COUNT_KEY_CHANGE = 'UPDATE deployment SET key_changes = key_changes + 1 RETURNING key_changes';

/** A SELECT that neither locks nor changes rows can run before the transaction begins. */
const isPlainRead = (text: string): boolean =>
  /^\s*SELECT\b/.test(text) && !/\bFOR (?:NO )?(?:KEY )?(?:UPDATE|SHARE)\b|number_events/.test(text);

export type Query = PostgresConnection['query'];

/** One statement cannot change the same row twice, so several changes to the same counter are added up. */
const addUp = (waiting: Statement[], { add: text, key }: Counter, by: number): void => {
  const at = waiting.findIndex((one) => one.text === text && key.every((value, index) => value === one.values[index]));
  const before = Number(waiting[at]?.values.at(-1) ?? 0);
  waiting[at < 0 ? waiting.length : at] = { text, values: [...key, before + by], isCounter: true };
};

// Collects writes until the next read or the commit, and then sends them without waiting for each result. If no
// transaction has begun by the time of the commit, all writes are combined into one statement where possible.
const openTransaction = (connection: PostgresConnection, lockMs: number) => {
  const sent: Promise<unknown>[] = [];
  const effects = new Set<() => void>();
  let waiting: Statement[] = [];
  let begun: Promise<unknown> | undefined;
  let failure: { error: unknown } | undefined;

  /** Keeps the first failure, because later failures say only that the transaction was aborted. */
  const track = <Value>(answer: Promise<Value>): Promise<Value> => {
    const tracked = answer.catch((error) => {
      failure ??= { error };
      throw failure.error;
    });
    tracked.catch(() => undefined);
    sent.push(tracked);
    return tracked;
  };
  const query: Query = (text, values) => track(connection.query(text, values));

  const begin = (): Promise<unknown> => {
    if (begun) return begun;
    begun = track(
      connection.script(BEGIN).catch((error) => {
        connection.cut('the transaction could not begin');
        throw unavailable(error);
      }),
    );
    // On Citus, SET LOCAL reaches the workers only if it is sent as a separate message.
    void track(connection.script(`SET LOCAL lock_timeout = ${lockMs}`));
    return begun;
  };

  /** Waits until BEGIN has succeeded, because without a transaction, each statement would commit on its own. */
  const sendWaiting = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const statements = waiting;
    waiting = [];
    await begin();
    const one = toOneStatement(statements);
    for (const { text, values } of one ? [one] : statements) void query(text, values);
  };

  const read: Query = async (text, values) => {
    if (failure) throw failure.error;
    if (waiting.length > 0) await sendWaiting();
    const begins = isPlainRead(text) ? undefined : begin();
    if (!/^\s*SELECT\b/.test(text)) await begins;
    return query(text, values);
  };

  return {
    effects,
    read,
    async run(text: string, values: readonly SqlValue[]): Promise<void> {
      if (failure) throw failure.error;
      waiting.push({ text, values });
    },
    async add(counter: Counter, by: number): Promise<void> {
      if (failure) throw failure.error;
      addUp(waiting, counter, by);
    },
    async commit(): Promise<void> {
      const one = begun ? undefined : toOneStatement(waiting);
      if (one) return connection.commit(one);
      await sendWaiting();
      if (begun) void track(connection.commit());
      begun = undefined;
      await Promise.allSettled(sent);
      if (failure) throw failure.error;
    },
    async rollBack(): Promise<void> {
      await Promise.allSettled(sent);
      if (begun && !connection.isBroken())
        await connection.script('ROLLBACK').catch(() => connection.cut('the rollback failed'));
    },
  };
};

type Transaction = ReturnType<typeof openTransaction>;

export const readWith = (query: Query) => ({
  one: async <Row>(text: string, values: readonly SqlValue[]) => (await query(text, values))[0] as Row | undefined,
  all: async <Row>(text: string, values: readonly SqlValue[]) => (await query(text, values)) as Row[],
  ...{ isSoleWriter: false, mergesParts: false, hasFts5: false },
});

type NextIds = (kind: IdKind, storeId: bigint, count: number) => Promise<bigint[]>;

const toSql = (current: () => Transaction, writer: bigint, nextIds: NextIds): Sql => ({
  ...readWith((text, values) => current().read(text, values)),
  run: (text, values) => current().run(text, values),
  add: (counter, by) => current().add(counter, by),
  async total({ read: text, key }) {
    const [row] = await current().read(text, key);
    return (row as { total: bigint } | undefined)?.total;
  },
  writeCounters: () => undefined,
  nextId: async (kind, storeId) => (await nextIds(kind, storeId, 1))[0] as bigint,
  nextIds,
  async noteKeyChange(keyId) {
    const { read, run } = current();
    const [counted] = await read(COUNT_KEY_CHANGE, []);
    await run('UPDATE keys SET changed = $2 WHERE id = $1', [keyId, (counted as { key_changes: bigint }).key_changes]);
  },
  pause: () => undefined,
  afterCommit: (effect) => void current().effects.add(effect),
  isReadOnly: false,
  lockRows: 'FOR UPDATE',
  writer,
});

/**
 * Runs the transactions of one connection, one after another. All of them use the same `Sql`, so that repositories are
 * created once for each connection and store. Between two transactions, statements fail.
 */
export const createTransactions = (
  connection: PostgresConnection,
  { lockMs, nextIds }: { lockMs: number; nextIds: NextIds },
) => {
  let current: Transaction | undefined;
  const sql = toSql(() => current as Transaction, connection.process, nextIds);
  return async <Result>(body: (sql: Sql) => MaybePromise<Result>): Promise<Result> => {
    const transaction = openTransaction(connection, lockMs);
    current = transaction;
    try {
      const result = await body(sql);
      await transaction.commit();
      for (const effect of transaction.effects) effect();
      return result;
    } catch (error) {
      await transaction.rollBack();
      throw error;
    } finally {
      current = undefined;
    }
  };
};
