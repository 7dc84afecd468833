import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { IdKind, Sql, SqlValue } from '../sql.ts';
import { type PostgresConnection, unavailable } from './connection.ts';

/** Sessions refuse writes outside a READ WRITE transaction, so statements after a failed BEGIN have no effect. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Ids per fetch after the first fetch. A transaction that needs a second id may need many. Unused ids leave gaps. */
const MORE_IDS = 16;

type Send = (text: string, values: readonly SqlValue[]) => Promise<unknown[]>;

const createIds = (send: Send) => {
  const spareIds = new Map<IdKind, bigint[]>();
  const nextIds = async (kind: IdKind, count: number): Promise<bigint[]> => {
    const rows = await send(`SELECT nextval('${kind}_ids') AS id FROM generate_series(1, $1)`, [count]);
    return rows.map((row) => (row as { id: bigint }).id);
  };
  const nextId = async (kind: IdKind): Promise<bigint> => {
    const known = spareIds.get(kind);
    if (known?.length) return known.shift() as bigint;
    const [id, ...spare] = await nextIds(kind, known ? MORE_IDS : 1);
    spareIds.set(kind, spare);
    return id as bigint;
  };
  return { nextId, nextIds };
};

/**
 * Runs `body` between BEGIN and COMMIT. Statements without a result are sent without waiting for the server. The server
 * runs them in order and stops after a failure, so every failure is known before the commit.
 */
export const runTransaction = async <Result>(
  connection: PostgresConnection,
  body: (sql: Sql) => MaybePromise<Result>,
): Promise<Result> => {
  const effects: (() => void)[] = [];
  const sent: Promise<unknown>[] = [];
  let failure: { error: unknown } | undefined;

  /** Keeps the first failure, because later failures only report that the transaction is aborted. */
  const track = <Value>(answer: Promise<Value>): Promise<Value> => {
    const tracked = answer.catch((error) => {
      failure ??= { error };
      throw failure.error;
    });
    tracked.catch(() => undefined);
    sent.push(tracked);
    return tracked;
  };
  const send: Send = (text, values) => {
    if (failure) return Promise.reject(failure.error);
    return track(connection.query(text, values));
  };

  const run = async (text: string, values: readonly SqlValue[]): Promise<void> => {
    if (failure) throw failure.error;
    void send(text, values);
  };

  const sql: Sql = {
    one: async <Row>(text: string, values: readonly SqlValue[]) => (await send(text, values))[0] as Row | undefined,
    all: async <Row>(text: string, values: readonly SqlValue[]) => (await send(text, values)) as Row[],
    run,
    add: ({ add, key }, by) => run(add, [...key, by]),
    async total({ read, key }) {
      const [row] = await send(read, key);
      return (row as { total: bigint } | undefined)?.total;
    },
    writeCounters: () => undefined,
    ...createIds(send),
    pause: () => undefined,
    isSoleWriter: false,
    lock: (name) => run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text', [name]),
    async tryLock(name) {
      const [row] = await send('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))::text AS is_ours', [name]);
      return (row as { is_ours: string }).is_ours === 'true';
    },
    afterCommit: (effect) => {
      effects.push(effect);
    },
    isReadOnly: false,
    lockRows: 'FOR UPDATE',
    mergesParts: false,
    writer: connection.process,
  };

  const begun = connection.script(BEGIN).catch((error) => {
    // The session may have lost its settings, or the server may have become a standby.
    connection.cut('the transaction could not begin');
    throw unavailable(error);
  });
  track(begun);
  let result: Result;
  try {
    result = await body(sql);
  } catch (error) {
    await Promise.allSettled(sent);
    if (!connection.isBroken()) await connection.script('ROLLBACK').catch(() => connection.cut('the rollback failed'));
    throw error;
  }
  track(connection.commit());
  await Promise.allSettled(sent);
  if (failure) throw (failure as { error: unknown }).error;
  for (const effect of effects) effect();
  return result;
};
