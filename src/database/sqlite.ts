import type { Environment } from '../kernel/environment.ts';
import { type Call, SYSTEM_CALL } from '../kernel/operation.ts';
import { createCounters } from './counters.ts';
import type { Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdCounters } from './id-counters.ts';
import type { Sql, SqlValue } from './sql.ts';
import { createCheckpoints } from './sqlite.checkpoints.ts';
import type { SqliteConnection } from './sqlite.connection.ts';
import { openSqliteFile } from './sqlite.open.ts';
import { createSnapshot } from './sqlite.snapshot.ts';
import { openWal, type SyncFile } from './sqlite.sync.ts';

type Deps<Repositories> = {
  path: string;
  environment: Environment;
  /** The stores of one call on one connection. */
  bind(sql: Sql, call: Call): Repositories;
  /** For tests: a disk as it is wanted, and a log that is soon long. */
  syncFile?: SyncFile;
  checkpointPages?: number;
};

type InTransaction = Pick<Sql, 'run' | 'nextId' | 'afterCommit' | 'add' | 'total'>;

const sqlOn = (connection: Pick<SqliteConnection, 'one' | 'all'>, inTransaction: InTransaction): Sql => ({
  one: <Row>(text: string, values: readonly SqlValue[]) => connection.one(text, values) as Row | undefined,
  all: <Row>(text: string, values: readonly SqlValue[]) => connection.all(text, values) as Row[],
  // One transaction writes at a time: no row can change under it.
  lockRows: '',
  mergesParts: true,
  tryLock: async () => true,
  writer: 0n,
  ...inTransaction,
});

/** So many stores are kept bound for reading. */
const MOST_BOUND = 1000;

/** The embedded engine: one writer with group commit, one reader beside it that sees what is committed. */
export const openSqlite = <Reads, Repositories extends Reads>({
  path,
  environment,
  bind,
  syncFile,
  checkpointPages,
}: Deps<Repositories>): Database<Reads, Repositories> => {
  const { writer, reader, file, close } = openSqliteFile(path, environment);
  const ids = createIdCounters(writer);
  const snapshot = createSnapshot(reader);
  const wal = openWal(file, syncFile);
  const checkpoints = createCheckpoints(file, writer, checkpointPages);
  /** Whether the transaction that runs now has written something. */
  let hasWritten = false;
  const sums = createCounters({
    one: writer.one,
    run: (text, values) => {
      hasWritten = true;
      writer.run(text, values);
    },
  });
  let commits = 0;
  const groups = createGroupCommit({
    bodies: {
      begin: () => {
        hasWritten = false;
      },
      end: sums.endBody,
      undo: sums.undoBody,
      hasWritten: () => hasWritten,
    },
    connection: {
      ...writer,
      begin: () => {
        wal.mustWork();
        writer.begin();
        sums.begin();
      },
      commit: () => {
        wal.mustWork();
        snapshot.hold();
        try {
          // Where the engine has given up the transaction, they would be committed by themselves.
          if (writer.inTransaction()) {
            ids.save();
            sums.save();
          }
          writer.commit();
          sums.committed();
        } catch (error) {
          snapshot.letGo();
          throw error;
        }
      },
    },
    disk: {
      sync: async () => {
        checkpoints.noteCommit();
        // If it fails, readers keep the state that is known to last.
        await wal.sync();
        commits += 1;
        snapshot.letGo();
      },
      needsRest: checkpoints.needsRest,
      rest: async () => {
        await checkpoints.rest();
        // A reader that began before would keep the log from being used from its start again.
        snapshot.end();
      },
    },
  });
  /** What the transaction that runs now wants done after its commit. They run one after another, each to its end. */
  let effects: (() => void)[] = [];
  const prepare = (text: string): void => {
    sums.settleFor(text);
    hasWritten ||= !text.startsWith('SELECT');
  };
  const prepared: Pick<SqliteConnection, 'one' | 'all'> = {
    one: (text, values) => {
      prepare(text);
      return writer.one(text, values);
    },
    all: (text, values) => {
      prepare(text);
      return writer.all(text, values);
    },
  };
  const writing = sqlOn(prepared, {
    run: (text, values) => {
      prepare(text);
      writer.run(text, values);
    },
    nextId: ids.next,
    add: sums.add,
    total: sums.total,
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
  const reading = sqlOn(fresh, {
    run: async () => refuse(),
    nextId: async () => refuse(),
    add: async () => refuse(),
    total: async () => refuse(),
    afterCommit: refuse,
  });
  const bound = new Map<bigint, Reads>();
  const bindReads = (storeId: bigint): Reads => {
    if (bound.size >= MOST_BOUND) bound.clear();
    const reads = bind(reading, { ...SYSTEM_CALL, storeId });
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
    canWrite: () => !wal.isBroken(),
    async close() {
      await groups.idle();
      await checkpoints.close();
      wal.close();
      // What the failed sync left is looked at by the next start, which can tell what is whole.
      if (wal.isBroken()) return;
      snapshot.end();
      writer.script('PRAGMA wal_checkpoint(TRUNCATE)');
      close();
    },
  };
};
