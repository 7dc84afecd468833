import { type Call, OWN_CALL } from '../kernel/operation.ts';
import type { Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdCounters } from './id-counters.ts';
import type { Sql, SqlValue } from './sql.ts';
import type { SqliteConnection } from './sqlite.connection.ts';
import { openSqliteFile } from './sqlite.open.ts';

type Deps<Stores> = {
  path: string;
  environment: string;
  /** The stores of one call on one connection. */
  bind(sql: Sql, call: Call): Stores;
};

const sqlOn = (connection: SqliteConnection, inTransaction: Pick<Sql, 'nextId' | 'afterCommit'>): Sql => ({
  one: async <Row>(text: string, values: readonly SqlValue[]) => connection.one(text, values) as Row | undefined,
  all: async <Row>(text: string, values: readonly SqlValue[]) => connection.all(text, values) as Row[],
  run: async (text, values) => connection.run(text, values),
  // One transaction writes at a time: no row can change under it.
  lockRows: '',
  tryLock: async () => true,
  writer: 0n,
  ...inTransaction,
});

/** The embedded engine: one writer with group commit, one reader beside it that sees what is committed. */
export const openSqlite = <Reads, Stores extends Reads>({
  path,
  environment,
  bind,
}: Deps<Stores>): Database<Reads, Stores> => {
  const { writer, reader, close } = openSqliteFile(path, environment);
  const ids = createIdCounters(writer);
  const groups = createGroupCommit({
    ...writer,
    commit: () => {
      ids.save();
      writer.commit();
    },
  });
  /** What the transaction that runs now wants done after its commit. They run one after another, each to its end. */
  let effects: (() => void)[] = [];
  const writing = sqlOn(writer, {
    nextId: async (kind) => ids.next(kind),
    afterCommit: (effect) => {
      effects.push(effect);
    },
  });
  const refuse = (): never => {
    throw new Error('nothing is written outside a transaction');
  };
  const reading = sqlOn(reader, { nextId: async () => refuse(), afterCommit: refuse });

  return {
    read: (storeId) => bind(reading, { ...OWN_CALL, storeId }),
    async write(call, body) {
      let wanted: typeof effects = [];
      const result = await groups.run(() => {
        wanted = [];
        effects = wanted;
        return body(bind(writing, call));
      });
      for (const effect of wanted) effect();
      return result;
    },
    waiting: groups.waiting,
    async close() {
      await groups.idle();
      writer.script('PRAGMA wal_checkpoint(TRUNCATE)');
      close();
    },
  };
};
