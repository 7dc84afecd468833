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
  one: <Row>(text: string, values: readonly SqlValue[]) => connection.one(text, values) as Row | undefined,
  all: <Row>(text: string, values: readonly SqlValue[]) => connection.all(text, values) as Row[],
  run: async (text, values) => connection.run(text, values),
  // One transaction writes at a time: no row can change under it.
  lockRows: '',
  tryLock: async () => true,
  writer: 0n,
  ...inTransaction,
});

/** So many stores are kept bound for reading. */
const MOST_BOUND = 1000;

/**
 * One read transaction for all reads of one turn of the event loop: to begin and end one for each costs a third of a
 * read. It is ended before every commit of ours, so that what is answered is always there to be read.
 */
const createSnapshot = (reader: SqliteConnection) => {
  let isOpen = false;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    try {
      // A read that failed may have ended it.
      if (reader.inTransaction()) reader.commit();
    } catch {
      // Nothing was written here; whatever is wrong with the file, the next read will say.
    }
  };
  return {
    end,
    begin: (): void => {
      if (isOpen) return;
      reader.beginReading();
      isOpen = true;
      setImmediate(end);
    },
  };
};

/** The embedded engine: one writer with group commit, one reader beside it that sees what is committed. */
export const openSqlite = <Reads, Stores extends Reads>({
  path,
  environment,
  bind,
}: Deps<Stores>): Database<Reads, Stores> => {
  const { writer, reader, close } = openSqliteFile(path, environment);
  const ids = createIdCounters(writer);
  const snapshot = createSnapshot(reader);
  let commits = 0;
  const groups = createGroupCommit({
    ...writer,
    commit: () => {
      snapshot.end();
      commits += 1;
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
  const fresh: SqliteConnection = {
    ...reader,
    one: (text, values) => {
      snapshot.begin();
      return reader.one(text, values);
    },
    all: (text, values) => {
      snapshot.begin();
      return reader.all(text, values);
    },
  };
  const reading = sqlOn(fresh, { nextId: async () => refuse(), afterCommit: refuse });
  const bound = new Map<bigint, Reads>();
  const bindReads = (storeId: bigint): Reads => {
    if (bound.size >= MOST_BOUND) bound.clear();
    const reads = bind(reading, { ...OWN_CALL, storeId });
    bound.set(storeId, reads);
    return reads;
  };

  return {
    read: (storeId) => bound.get(storeId) ?? bindReads(storeId),
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
    commits: () => commits,
    waiting: groups.waiting,
    waitedMs: groups.waitedMs,
    async close() {
      await groups.idle();
      snapshot.end();
      writer.script('PRAGMA wal_checkpoint(TRUNCATE)');
      close();
    },
  };
};
