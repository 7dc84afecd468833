import { closeSync, existsSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from '../../../kernel/environment.ts';
import { refuseNewer } from '../../migration-plan.ts';
import { DatabaseUnusable } from '../../unusable.ts';
import { adviseRestore, logSize, makeFolder, putInPlace, removeUnfinished, unmarkOpen } from '../files.ts';
import { markDamage } from '../integrity/scan.ts';
import { lockDatabase } from '../lock.ts';
import { MIGRATIONS } from '../migrations.ts';
import { explainAccess } from '../owner.ts';
import { type BackupFacts, createSum, damaged, piecesOf, readManifest, removeManifest } from './manifest.ts';

export type RestoreOrder = {
  from: string;
  /** Where the database is to be. */
  path: string;
  environment: Environment;
  tell?(doneBytes: number, totalBytes: number): void;
};

const writeWhole = (file: number, piece: Buffer): void => {
  const written = writeSync(file, piece);
  if (written !== piece.length) throw new Error(`of ${piece.length} bytes the disk took ${written}`);
};

/** Reads a backup to its end, for others to be served in between, and refuses one that is not what it was. */
const readWhole = async (
  { from, tell = () => undefined }: RestoreOrder,
  digest: Uint8Array,
  use: (piece: Buffer) => void,
): Promise<void> => {
  const [file, totalBytes] = [openSync(from, 'r'), statSync(from).size];
  let doneBytes = 0;
  try {
    const sums = createSum(digest);
    for (const piece of piecesOf(file)) {
      sums.add(piece);
      use(piece);
      doneBytes += piece.length;
      tell(doneBytes, totalBytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (Buffer.compare(sums.end().sum, digest) !== 0) throw damaged(from);
  } finally {
    closeSync(file);
  }
};

const mustFit = ({ from, environment }: RestoreOrder, facts: BackupFacts): void => {
  refuseNewer(from, facts.schema, MIGRATIONS.length);
  if (facts.environment === environment) return;
  throw new DatabaseUnusable(
    `${from} is a backup of a ${facts.environment} database, but PETSTORE_ENVIRONMENT is ${environment}`,
  );
};

/** Whether a backup is whole and could be restored with these settings. */
export const checkBackup = async (order: RestoreOrder): Promise<BackupFacts> => {
  const { digest, ...facts } = readManifest(order.from);
  await readWhole(order, digest, () => undefined);
  mustFit(order, facts);
  return facts;
};

const refuseToOverwrite = (path: string): void => {
  if (!existsSync(path) && logSize(path) === 0) return;
  const found = existsSync(path) ? path : `${path}-wal`;
  throw new DatabaseUnusable(
    `${found} is there already, and a restore overwrites nothing: stop the service and ${adviseRestore(path)}`,
  );
};

const copyWhole = async (order: RestoreOrder, digest: Uint8Array, unfinished: string): Promise<void> => {
  const file = openSync(unfinished, 'wx', 0o600);
  try {
    await readWhole(order, digest, (piece) => writeWhole(file, piece));
  } finally {
    closeSync(file);
  }
};

/** A file that SQLite has written to and closed. */
const syncFile = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const makeDatabase = async (order: RestoreOrder): Promise<BackupFacts> => {
  const { path } = order;
  const { digest, ...facts } = readManifest(order.from);
  mustFit(order, facts);
  makeFolder(dirname(path));
  // A service goes on for a moment after its file was taken away, and must not meet another one.
  const lock = lockDatabase(path);
  const unfinished = `${path}.restoring`;
  try {
    refuseToOverwrite(path);
    removeUnfinished(unfinished);
    await copyWhole(order, digest, unfinished);
    removeManifest(unfinished);
    syncFile(unfinished);
    refuseToOverwrite(path);
    // Marks of the file before: the restored one has no log and misses none, and its bytes passed the check of the seal.
    unmarkOpen(path);
    markDamage(path);
    putInPlace(unfinished, path);
    return facts;
  } finally {
    removeUnfinished(unfinished);
    lock.close();
  }
};

/** Makes a database of a backup. Under its name there is all of it or nothing. */
export const restoreSqlite = (order: RestoreOrder): Promise<BackupFacts> =>
  makeDatabase(order).catch((error: Error) => {
    if (error instanceof DatabaseUnusable) throw error;
    const why = `${error.message}${explainAccess(order.path)}`;
    throw new DatabaseUnusable(`cannot restore ${order.path}: ${why}`, { cause: error });
  });
