import type { Environment } from '../../kernel/environment.ts';
import { explainError } from '../../kernel/log.ts';
import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { createCheckpoints } from './checkpoints.ts';
import { isUnsynced, type SqliteConnection, storageFailure } from './connection.ts';
import { watchFiles } from './files.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Disk, NoteSync } from './group-sync.ts';
import type { TransactionControl } from './group-transaction.ts';
import { createHealth, type Health, isDamage } from './health.ts';
import { createScan, markDamage, type ScanOptions } from './integrity/scan.ts';
import { openSqliteFile } from './open.ts';
import { createSnapshot } from './snapshot.ts';
import { createSpace, isOutOfSpace, type SpaceEvents } from './space.ts';
import { createReadingSql, createWritingSql } from './sql.ts';
import { openWal, type SyncFile, type SyncFileNow } from './sync.ts';

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
  spaceEvents?: SpaceEvents | undefined;
  /** Whether a file of an earlier version is copied before it is migrated, and who is told of the copy. */
  backsUp?: boolean;
  backedUp?: (copy: string) => void;
  logMissing?: (message: string) => void;
  noteSync?: NoteSync;
  /** How often the file is scanned for damage, and where the outcome goes. */
  scans?: ScanOptions;
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
  file: string;
};

/** Counters are written with each commit, and readers see the state before it until it is on disk. */
const groupsOn = ({ writer, writing: { counters }, snapshot, health, file }: Parts): TransactionControl => ({
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
      if (isUnsynced(error) && !isOutOfSpace(error, file)) throw health.fail(error);
      snapshot.letGo();
      throw error;
    }
  },
});

type DiskParts = Pick<Parts, 'snapshot' | 'health'> & {
  wal: ReturnType<typeof openWal>;
  checkpoints: ReturnType<typeof createCheckpoints>;
  committed(): void;
};

const diskOf = ({ wal, checkpoints, snapshot, health, committed }: DiskParts): Disk => ({
  sync: async () => {
    checkpoints.noteCommit();
    // If it fails, readers keep the state that is known to last.
    await wal.sync();
    committed();
    snapshot.letGo();
  },
  syncNow: wal.syncNow,
  needsRest: () => !health.isBroken() && checkpoints.needsRest(),
  rest: async () => {
    await checkpoints.rest();
    // A reader that began before would keep the log from being used from its start again.
    snapshot.end();
  },
});

/** Brings all of the log to its place, so that nothing is left to be done when the last connection is closed. */
const emptyLog = (writer: SqliteConnection, health: Health, file: string): void => {
  try {
    writer.script('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // The pages stay in the log, and the next start completes the checkpoint.
    if (isOutOfSpace(error, file)) return;
    throw health.fail(error);
  }
};

/** Damage is noted next to the file, for the next start. */
const createMarkedHealth = (path: string, broke: (cause: unknown) => void): Health =>
  createHealth((cause) => {
    if (isDamage(cause)) markDamage(path, explainError(cause));
    broke(cause);
  });

export type SqliteDatabase<Reads, Repositories> = Database<Reads, Repositories> & {
  /** Has to run every second: a file that was removed or replaced takes with it whatever is written from then on. */
  checkFiles(): void;
  /** Starts a scan of the file for damage, if one is due. */
  scan(): Promise<void>;
  /** Must run every second: while the disk is full, its small write detects free space. */
  probeSpace(): Promise<void>;
  /** Starts the thread for checkpoints now, while there are file descriptors for it. */
  prepare(): Promise<void>;
};

/** Writes the first page of the file and nothing else: the cheapest write that reaches the log. */
const probeWith = (writer: SqliteConnection) => {
  const { user_version: schema } = writer.one('PRAGMA user_version', []) as { user_version: bigint };
  return (): void => writer.script(`PRAGMA user_version = ${schema}`);
};

/** The start and the jobs have no key: they still write the admin key and the counters. */
const refuseCaller = ({ keyId }: Call): void => {
  if (keyId !== null) throw storageFailure(undefined);
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
  spaceEvents = { ranOut: () => undefined, recovered: () => undefined },
  backsUp,
  backedUp,
  logMissing,
  noteSync,
  scans,
  stopwatch,
  syncFile,
  syncFileNow,
  checkpointPages,
}: Deps<Repositories>): SqliteDatabase<Reads, Repositories> => {
  const health = createMarkedHealth(path, broke);
  const { writer, reader, file, close } = openSqliteFile(path, environment, { health, backsUp, backedUp, logMissing });
  const snapshot = createSnapshot(reader);
  const wal = openWal(file, health, { syncFile, syncFileNow });
  const checkFiles = watchFiles([file, `${file}-wal`, `${file}-shm`], health.fail);
  const scan = createScan({ ...scans, path: file, stopwatch, damaged: health.fail });
  const space = createSpace(file, spaceEvents);
  const checkpoints = createCheckpoints({ path: file, writer, failed: health.fail, space, pages: checkpointPages });
  const reading = createReadingSql(reader, snapshot.begin);
  const writing = createWritingSql(writer, () => groups.pause());
  const probe = probeWith(writer);
  let commits = 0;
  const committed = (): void => {
    commits += 1;
  };
  const groups = createGroupCommit({
    connection: groupsOn({ writer, writing, snapshot, health, file }),
    bodies: writing,
    disk: diskOf({ wal, checkpoints, snapshot, health, committed }),
    noteSync,
    stopwatch,
  });
  return {
    read: keepReads<Reads>((storeId) => bind(reading, { ...SYSTEM_CALL, storeId })),
    async write(call, body, _row, isLong) {
      if (scan.isSuspect()) refuseCaller(call);
      let effects: (() => void)[] = [];
      const result = await groups
        .run(() => {
          effects = writing.effects();
          return body(bind(writing.sql, call));
        }, isLong)
        .catch(space.noteWrite);
      for (const effect of effects) effect();
      return result;
    },
    commits: () => commits,
    forceProgress: groups.forceProgress,
    waiting: groups.waiting,
    waitedMs: groups.waitedMs,
    scan: scan.begin,
    isDamaged: () => health.isDamaged() || scan.isSuspect(),
    canWrite: () => !health.isBroken() && space.canWrite() && !scan.isSuspect(),
    checkFiles,
    prepare: checkpoints.prepare,
    async probeSpace() {
      if (!space.isShort() || health.isBroken()) return;
      checkpoints.retry();
      await space.probe(() => groups.run(probe).catch(space.noteWrite));
    },
    async close() {
      scan.close();
      await groups.idle();
      await checkpoints.close();
      checkFiles();
      wal.close();
      // What is left is looked at by the next start, which can tell what is whole.
      if (health.isBroken()) return;
      snapshot.end();
      emptyLog(writer, health, file);
      close();
    },
  };
};
