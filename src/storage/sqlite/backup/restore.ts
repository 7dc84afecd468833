import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from '../../../kernel/contract.ts';
import { asUnusable, DatabaseUnusable, refuseEnvironment } from '../../unusable.ts';
import {
  adviseRestore,
  logSize,
  makeFolder,
  openFile,
  putInPlace,
  removeWithJournal,
  syncPath,
  unmarkOpen,
  writeWhole,
} from '../files.ts';
import { markDamage } from '../integrity/scan.ts';
import { lockDatabase } from '../lock.ts';
import { planSqliteMigrations } from '../open.ts';
import { explainAccess } from '../owner.ts';
import { type BackupFacts, createFileHash, damaged, piecesOf, readManifest, removeManifest } from './manifest.ts';

export type RestoreOrder = {
  from: string;
  path: string;
  environment: Environment;
  tell?(doneBytes: number, totalBytes: number): void;
};

/** The digest is checked only after the last piece, so `use` may receive pieces of a damaged backup. */
const readWhole = async (
  { from, tell = () => undefined }: RestoreOrder,
  digest: Uint8Array,
  use: (piece: Buffer) => void,
): Promise<void> => {
  using file = openFile(from, 'r');
  const totalBytes = statSync(from).size;
  let doneBytes = 0;
  const hash = createFileHash(digest);
  for (const piece of piecesOf(file.fd)) {
    hash.add(piece);
    use(piece);
    doneBytes += piece.length;
    tell(doneBytes, totalBytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (Buffer.compare(hash.end().sum, digest) !== 0) throw damaged(from);
};

const mustFit = ({ from, environment }: RestoreOrder, facts: BackupFacts): void => {
  planSqliteMigrations(from);
  refuseEnvironment(`${from} is a backup of`, facts.environment, environment);
};

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
    `${found} already exists, and a restore does not overwrite files: stop the service and ${adviseRestore(path)}`,
  );
};

const copyWhole = async (order: RestoreOrder, digest: Uint8Array, unfinished: string): Promise<void> => {
  using file = openFile(unfinished, 'wx', 0o600);
  await readWhole(order, digest, (piece) => writeWhole(file.fd, piece));
};

const makeDatabase = async (order: RestoreOrder): Promise<BackupFacts> => {
  const { path } = order;
  const { digest, ...facts } = readManifest(order.from);
  mustFit(order, facts);
  makeFolder(dirname(path));
  // Fails if a service is still running without its database file. The lock also prevents a service from starting now.
  using _lock = lockDatabase(path);
  const unfinished = `${path}.restoring`;
  try {
    refuseToOverwrite(path);
    removeWithJournal(unfinished);
    await copyWhole(order, digest, unfinished);
    removeManifest(unfinished);
    syncPath(unfinished, 'r+');
    refuseToOverwrite(path);
    unmarkOpen(path);
    markDamage(path);
    putInPlace(unfinished, path);
    return facts;
  } finally {
    removeWithJournal(unfinished);
  }
};

export const restoreSqlite = (order: RestoreOrder): Promise<BackupFacts> =>
  makeDatabase(order).catch((error) => {
    throw asUnusable(error, `cannot restore ${order.path}`, explainAccess(order.path));
  });
