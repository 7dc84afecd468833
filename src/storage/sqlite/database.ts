import { realpathSync } from 'node:fs';
import type { Environment } from '../../kernel/contract.ts';
import { explainError } from '../../kernel/log.ts';
import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import { type Database, refuseWrites } from '../database.ts';
import type { Sql } from '../sql.ts';
import { DatabaseUnusable, refuseEnvironment, refusePending, refuseUnfinishedMove } from '../unusable.ts';
import { createCheckpoints } from './checkpoints.ts';
import { connectSqlite, isDamaged, storageFailure } from './connection.ts';
import { noteMissingLog, watchFiles } from './files.ts';
import { createGroupCommit, type SyncMetrics } from './group-commit.ts';
import { createScan, markDamage, type ScanOptions } from './integrity/scan.ts';
import { createKeyIndex, loadKeys } from './key-index.ts';
import { isMoveTarget, type OpenOptions, openSqliteFile, planSqliteMigrations } from './open.ts';
import { createSnapshot } from './snapshot.ts';
import { createSpace, isOutOfSpace, type SpaceEvents } from './space.ts';
import { createHealth, openWal, type SyncFile, type SyncFileNow } from './sync.ts';

type FileDeps = Pick<OpenOptions, 'backsUp' | 'backedUp' | 'logMissing'> & {
  path: string;
  environment: Environment;
  /** Called when the files cannot be trusted. The process must be killed: a normal exit would run a checkpoint. */
  broke?: ((cause: unknown) => void) | undefined;
  spaceEvents?: SpaceEvents | undefined;
  scans?: ScanOptions;
  stopwatch?: (() => number) | undefined;
  syncFile?: SyncFile;
  syncFileNow?: SyncFileNow;
  checkpointPages?: number | undefined;
};

type Deps<Repositories> = FileDeps & { bind(sql: Sql, call: Call): Repositories; syncMetrics?: SyncMetrics };

export type SqliteDatabase<Reads, Repositories> = Database<Reads, Repositories> & {
  /** Must be called every second to detect a removed file, because all writes to a removed file would be lost. */
  checkFiles(): void;
  scan(): Promise<void>;
  /** Must be called every second. If the disk is full, makes a small write to test whether space is available. */
  probeSpace(): Promise<void>;
  prepare(): Promise<void>;
};

const openParts = ({ path, environment, broke = () => undefined, stopwatch, ...deps }: FileDeps) => {
  const health = createHealth((cause) => {
    // After a restart, this mark makes the service refuse writes until a scan finds no damage.
    if (isDamaged(cause)) markDamage(path, explainError(cause));
    broke(cause);
  });
  const { writer, reader, file, close } = openSqliteFile(path, environment, { ...deps, health });
  const space = createSpace(file, deps.spaceEvents ?? { ranOut: () => undefined, recovered: () => undefined });
  const { row } = writer.one('SELECT coalesce(max(rowid), 0) AS row FROM idempotency', []) as { row: bigint };
  const keyIndex = createKeyIndex(Number(row));
  return {
    ...{ health, keyIndex, writer, reader, file, close, space },
    snapshot: createSnapshot(reader, keyIndex),
    wal: openWal(file, health, deps),
    checkFiles: watchFiles([file, `${file}-wal`, `${file}-shm`], health.fail),
    scan: createScan({ ...deps.scans, path: file, stopwatch, damaged: health.fail }),
    checkpoints: createCheckpoints({ path: file, writer, failed: health.fail, space, pages: deps.checkpointPages }),
  };
};

const MAX_KEPT = 1000;

export const openSqlite = <Reads, Repositories extends Reads>({
  bind,
  syncMetrics,
  ...deps
}: Deps<Repositories>): SqliteDatabase<Reads, Repositories> => {
  const parts = openParts(deps);
  const { health, keyIndex, writer, snapshot, space, scan, checkpoints, checkFiles } = parts;
  const groups = createGroupCommit({ ...parts, metrics: syncMetrics, stopwatch: deps.stopwatch });
  const { user_version: schema } = writer.one('PRAGMA user_version', []) as { user_version: bigint };
  const probe = (): void => writer.script(`PRAGMA user_version = ${schema}`);
  const kept = new Map<bigint, Reads>();
  const keysLoaded = loadKeys(keyIndex, snapshot.sql);
  // If the keys cannot be loaded, each request that uses an idempotency key reports the failure.
  keysLoaded.catch(() => undefined);
  return {
    keysLoaded,
    read(storeId) {
      const known = kept.get(storeId);
      if (known !== undefined) return known;
      if (kept.size >= MAX_KEPT) kept.clear();
      const reads = bind(snapshot.sql, { ...SYSTEM_CALL, storeId });
      kept.set(storeId, reads);
      return reads;
    },
    async write(call, body, _row, isLong) {
      // While damage is suspected, requests with a key must not write. Startup and jobs have no key and may write.
      if (scan.isSuspect && call.keyId !== null) throw storageFailure(undefined);
      let effects: Iterable<() => void> = [];
      const result = await groups
        .run((added) => {
          effects = added;
          return body(bind(groups.sql, call));
        }, isLong)
        .catch(space.noteWrite);
      for (const effect of effects) effect();
      return result;
    },
    commits: groups.commits,
    forceProgress: groups.forceProgress,
    backlog: groups.backlog,
    waitedMs: groups.waitedMs,
    scan: scan.begin,
    isDamaged: () => isDamaged(health.failure) || scan.isSuspect,
    canWrite: () => !health.failure && space.canWrite() && !scan.isSuspect,
    checkFiles,
    prepare: checkpoints.prepare,
    async probeSpace() {
      if (!space.isShort() || health.failure) return;
      checkpoints.retry();
      await space.probe(() => groups.run(probe).catch(space.noteWrite));
    },
    async close() {
      scan.close();
      await groups.idle();
      await checkpoints.close();
      checkFiles();
      parts.wal.close();
      // Leaves the files open, because closing them would run a checkpoint. The next start repairs the WAL.
      if (health.failure) return;
      snapshot.end();
      try {
        writer.script('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // If the disk is full, nothing is lost: the pages stay in the WAL, and the next start copies them to the file.
        if (!isOutOfSpace(error, parts.file)) throw health.fail(error);
      }
      parts.close();
    },
  };
};

export const openSqliteReader = (path: string, environment: Environment) => {
  const { seen, steps } = planSqliteMigrations(path);
  if (seen === 0) throw new DatabaseUnusable(`there is no database at ${path} yet; check the path`);
  if (steps.length > 0) refusePending(path, steps.length);
  const file = realpathSync(path);
  noteMissingLog(file);
  using opening = new DisposableStack();
  const reader = opening.use(connectSqlite(file, undefined, 'read'));
  if (isMoveTarget(reader)) refuseUnfinishedMove(path);
  const claimed = reader.one('SELECT environment FROM deployment', []) as { environment: string };
  refuseEnvironment(`${path} is`, claimed.environment, environment);
  opening.move();
  return { reader, file };
};

type ReadDeps<Repositories> = Pick<Deps<Repositories>, 'path' | 'environment' | 'bind'>;

export const openSqliteReadOnly = <Reads, Repositories extends Reads>(
  deps: ReadDeps<Repositories>,
): Database<Reads, Repositories> => {
  const { reader } = openSqliteReader(deps.path, deps.environment);
  // A read-only service accepts no writes, so no request uses an idempotency key, and the index stays empty.
  const { sql } = createSnapshot(reader, createKeyIndex());
  return {
    read: (storeId) => deps.bind(sql, { ...SYSTEM_CALL, storeId }),
    write: refuseWrites,
    commits: () => 0,
    backlog: { pending: 0 },
    waitedMs: () => 0,
    canWrite: () => true,
    close: async () => reader.close(),
  };
};
