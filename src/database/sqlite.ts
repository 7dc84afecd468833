import type { Environment } from '../kernel/environment.ts';
import { type Call, SYSTEM_CALL } from '../kernel/operation.ts';
import type { Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Disk, NoteSync } from './group-sync.ts';
import type { TransactionControl } from './group-transaction.ts';
import type { Sql } from './sql.ts';
import { createCheckpoints } from './sqlite.checkpoints.ts';
import { isUnsynced, type SqliteConnection } from './sqlite.connection.ts';
import { watchFiles } from './sqlite.files.ts';
import { createHealth, type Health } from './sqlite.health.ts';
import { openSqliteFile } from './sqlite.open.ts';
import { createSnapshot } from './sqlite.snapshot.ts';
import { createReadingSql, createWritingSql } from './sqlite.sql.ts';
import { openWal, type SyncFile, type SyncFileNow } from './sqlite.sync.ts';

type Deps<Repositories> = {
  path: string;
  environment: Environment;
  /** The repositories of one call on one connection. */
  bind(sql: Sql, call: Call): Repositories;
  /**
   * Hears once that the file or its log cannot be relied on any more. The process has to end without closing them, which
   * only a kill does: what the runtime closes is written to.
   */
  broke?: ((cause: unknown) => void) | undefined;
  /** Whether a file of an earlier version is copied before it is migrated, and who is told of the copy. */
  backsUp?: boolean;
  backedUp?: (copy: string) => void;
  logMissing?: (message: string) => void;
  noteSync?: NoteSync;
  /** Measures how long another program that holds the file is waited for, where it is not the runtime's. */
  stopwatch?: (() => number) | undefined;
  /** For tests: a disk as it is wanted, and a log that is soon long. */
  syncFile?: SyncFile;
  syncFileNow?: SyncFileNow;
  checkpointPages?: number | undefined;
};

type Parts = {
  writer: SqliteConnection;
  writing: ReturnType<typeof createWritingSql>;
  snapshot: ReturnType<typeof createSnapshot>;
  health: Health;
};

/** Counters are written with each commit, and readers see the state before it until it is on disk. */
const groupsOn = ({ writer, writing: { counters }, snapshot, health }: Parts): TransactionControl => ({
  ...writer,
  begin: () => {
    health.mustWork();
    writer.begin();
    counters.beginGroup();
  },
  mustWork: health.mustWork,
  commit: () => {
    health.mustWork();
    snapshot.hold();
    try {
      // Where the engine has given up the transaction, they would be committed by themselves.
      if (writer.inTransaction()) counters.write();
      writer.commit();
      counters.committed();
    } catch (error) {
      // The first page of a log is synced inside the commit.
      if (isUnsynced(error)) throw health.fail(error);
      snapshot.letGo();
      throw error;
    }
  },
});

/** Brings all of the log to its place, so that nothing is left to be done when the last connection is closed. */
const emptyLog = (writer: SqliteConnection, health: Health): void => {
  try {
    writer.script('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw health.fail(error);
  }
};

export type SqliteDatabase<Reads, Repositories> = Database<Reads, Repositories> & {
  /** Has to run every second: a file that was removed or replaced takes with it whatever is written from then on. */
  checkFiles(): void;
};

/** Repositories for reading are kept for so many stores. */
const MOST_KEPT = 1000;

const keepReads = <Reads>(bindReads: (storeId: bigint) => Reads) => {
  const kept = new Map<bigint, Reads>();
  const bindNew = (storeId: bigint): Reads => {
    if (kept.size >= MOST_KEPT) kept.clear();
    const reads = bindReads(storeId);
    kept.set(storeId, reads);
    return reads;
  };
  return (storeId: bigint): Reads => kept.get(storeId) ?? bindNew(storeId);
};

/** The embedded engine: one writer with group commit, one reader beside it that sees what is committed. */
export const openSqlite = <Reads, Repositories extends Reads>({
  path,
  environment,
  bind,
  broke = () => undefined,
  backsUp,
  backedUp,
  logMissing,
  noteSync,
  stopwatch,
  syncFile,
  syncFileNow,
  checkpointPages,
}: Deps<Repositories>): SqliteDatabase<Reads, Repositories> => {
  const health = createHealth(broke);
  const { writer, reader, file, close } = openSqliteFile(path, environment, { health, backsUp, backedUp, logMissing });
  const snapshot = createSnapshot(reader);
  const wal = openWal(file, health, { syncFile, syncFileNow });
  const checkFiles = watchFiles([file, `${file}-wal`, `${file}-shm`], health.fail);
  const checkpoints = createCheckpoints({ path: file, writer, failed: health.fail, pages: checkpointPages });
  const reading = createReadingSql(reader, snapshot.begin);
  const writing = createWritingSql(writer, () => groups.pause());
  let commits = 0;
  const disk: Disk = {
    sync: async () => {
      checkpoints.noteCommit();
      // If it fails, readers keep the state that is known to last.
      await wal.sync();
      commits += 1;
      snapshot.letGo();
    },
    syncNow: wal.syncNow,
    needsRest: () => !health.isBroken() && checkpoints.needsRest(),
    rest: async () => {
      await checkpoints.rest();
      // A reader that began before would keep the log from being used from its start again.
      snapshot.end();
    },
  };
  const groups = createGroupCommit({
    connection: groupsOn({ writer, writing, snapshot, health }),
    bodies: writing,
    disk,
    noteSync,
    stopwatch,
  });
  return {
    read: keepReads<Reads>((storeId) => bind(reading, { ...SYSTEM_CALL, storeId })),
    async write(call, body, _row, isLong) {
      let effects: (() => void)[] = [];
      const result = await groups.run(() => {
        effects = writing.effects();
        return body(bind(writing.sql, call));
      }, isLong);
      for (const effect of effects) effect();
      return result;
    },
    commits: () => commits,
    goOn: groups.goOn,
    waiting: groups.waiting,
    waitedMs: groups.waitedMs,
    canWrite: () => !health.isBroken(),
    checkFiles,
    async close() {
      await groups.idle();
      await checkpoints.close();
      checkFiles();
      wal.close();
      // What is left is looked at by the next start, which can tell what is whole.
      if (health.isBroken()) return;
      snapshot.end();
      emptyLog(writer, health);
      close();
    },
  };
};
