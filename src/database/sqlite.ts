import type { Environment } from '../kernel/environment.ts';
import { type Call, SYSTEM_CALL } from '../kernel/operation.ts';
import type { Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Disk } from './group-sync.ts';
import type { TransactionControl } from './group-transaction.ts';
import type { Sql } from './sql.ts';
import { createCheckpoints } from './sqlite.checkpoints.ts';
import type { SqliteConnection } from './sqlite.connection.ts';
import { openSqliteFile } from './sqlite.open.ts';
import { createSnapshot } from './sqlite.snapshot.ts';
import { createReadingSql, createWritingSql } from './sqlite.sql.ts';
import { openWal, type SyncFile, type SyncFileNow } from './sqlite.sync.ts';

type Deps<Repositories> = {
  path: string;
  environment: Environment;
  /** The repositories of one call on one connection. */
  bind(sql: Sql, call: Call): Repositories;
  /** For tests: a disk as it is wanted, and a log that is soon long. */
  syncFile?: SyncFile;
  syncFileNow?: SyncFileNow;
  checkpointPages?: number;
};

type Parts = {
  writer: SqliteConnection;
  writing: ReturnType<typeof createWritingSql>;
  snapshot: ReturnType<typeof createSnapshot>;
  wal: ReturnType<typeof openWal>;
};

/** Counters are written with each commit, and readers see the state before it until it is on disk. */
const groupsOn = ({ writer, writing: { counters }, snapshot, wal }: Parts): TransactionControl => ({
  ...writer,
  begin: () => {
    wal.mustWork();
    writer.begin();
    counters.beginGroup();
  },
  commit: () => {
    wal.mustWork();
    snapshot.hold();
    try {
      // Where the engine has given up the transaction, they would be committed by themselves.
      if (writer.inTransaction()) counters.write();
      writer.commit();
      counters.committed();
    } catch (error) {
      snapshot.letGo();
      throw error;
    }
  },
});

/** Repositories for reading are kept for so many stores. */
const MOST_KEPT = 1000;

/** The embedded engine: one writer with group commit, one reader beside it that sees what is committed. */
export const openSqlite = <Reads, Repositories extends Reads>({
  path,
  environment,
  bind,
  syncFile,
  syncFileNow,
  checkpointPages,
}: Deps<Repositories>): Database<Reads, Repositories> => {
  const { writer, reader, file, close } = openSqliteFile(path, environment);
  const snapshot = createSnapshot(reader);
  const wal = openWal(file, syncFile, syncFileNow);
  const checkpoints = createCheckpoints(file, writer, checkpointPages);
  const reading = createReadingSql(reader, snapshot.begin);
  const writing = createWritingSql(writer);
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
    needsRest: checkpoints.needsRest,
    rest: async () => {
      await checkpoints.rest();
      // A reader that began before would keep the log from being used from its start again.
      snapshot.end();
    },
  };
  const groups = createGroupCommit({
    connection: groupsOn({ writer, writing, snapshot, wal }),
    bodies: writing,
    disk,
  });
  const kept = new Map<bigint, Reads>();
  const bindReads = (storeId: bigint): Reads => {
    if (kept.size >= MOST_KEPT) kept.clear();
    const reads = bind(reading, { ...SYSTEM_CALL, storeId });
    kept.set(storeId, reads);
    return reads;
  };

  return {
    read: (storeId) => kept.get(storeId) ?? bindReads(storeId),
    async write(call, body) {
      let effects: (() => void)[] = [];
      const result = await groups.run(() => {
        effects = writing.effects();
        return body(bind(writing.sql, call));
      });
      for (const effect of effects) effect();
      return result;
    },
    commits: () => commits,
    goOn: groups.goOn,
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
