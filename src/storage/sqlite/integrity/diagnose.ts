import { existsSync, statSync } from 'node:fs';
import type { Environment } from '../../../kernel/contract.ts';
import { type Finding, ok, warning, wrong } from '../../../kernel/finding.ts';
import { asUnusable, BackupYielded, diagnoseMissing, pendingMigrations, UNFINISHED } from '../../unusable.ts';
import { connectSqlite } from '../connection.ts';
import { adviseRestore, isLogMissing, logSize } from '../files.ts';
import { markReading } from '../lock.ts';
import { isMoveTarget, planSqliteMigrations } from '../open.ts';
import { diagnoseFolder, diagnoseOwner, nearestFolder } from '../owner.ts';
import { freeBytesAt, MB, megabytes } from '../space.ts';
import type { CheckReply } from './check.worker.ts';
import { checkInThread, readDamageMark } from './scan.ts';

/** A longer WAL means that another program is keeping a read transaction open, so SQLite cannot reuse the WAL. */
const LONG_LOG_BYTES = 256 * MB;
/** The usual maximum size of the WAL. A checkpoint may make the database file larger by the same number of bytes. */
const USUAL_LOG_BYTES = 17 * MB;

const POLL_MS = 100;

/** @internal */
export const diagnoseRoom = (path: string, free = freeBytesAt(nearestFolder(path))): Finding => {
  const log = logSize(path);
  const copy = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) + log;
  const toWrite = Math.max(log, USUAL_LOG_BYTES);
  const found = `${Math.floor(free / MB).toLocaleString('en')} MB free`;
  if (free < toWrite)
    return wrong('disk', found, `free up some space: the next writes and their checkpoint need ${megabytes(toWrite)}`);
  if (free < copy)
    return warning('disk', found, `free up some space: a backup or a migration needs ${megabytes(copy)}`);
  return ok('disk', found);
};

const diagnoseAccess = (file: string): Finding => {
  const isOpen = (name: string): boolean => existsSync(name) && (statSync(name).mode & 0o077) !== 0;
  const open = [file, `${file}-wal`, `${file}-shm`].filter(isOpen);
  if (open.length === 0) return ok('access', 'only the owner can read the files');
  return warning('access', `other users can read ${open.join(', ')}`, `chmod 600 ${open.join(' ')}`);
};

const diagnoseLog = (file: string): Finding => {
  if (isLogMissing(file)) {
    const advice =
      'if someone deleted that file, the last acknowledged writes are lost; compare the database with your backups';
    return warning('log', `${file}-wal was missing, although the last process did not shut down cleanly`, advice);
  }
  const bytes = logSize(file);
  if (bytes < LONG_LOG_BYTES) return ok('log', `${file}-wal is ${megabytes(bytes)}`);
  const advice = 'stop the shell or backup that keeps a read transaction open, or restart the service to empty the log';
  return warning('log', `${file}-wal has grown to ${megabytes(bytes)}`, advice);
};

const checkFile = async (file: string): Promise<CheckReply> => {
  using reading = markReading(file);
  const check = checkInThread(file, 0);
  const { promise: yielded, resolve } = Promise.withResolvers<CheckReply>();
  const timer = setInterval(() => {
    if (reading.mustYield()) resolve({ error: 'the service is starting; run doctor again' });
  }, POLL_MS);
  try {
    return await Promise.race([check.reply, yielded]);
  } finally {
    clearInterval(timer);
    check.end();
  }
};

/** Reports damage that the service found earlier, because a new check may overlook it. */
const diagnoseScan = (file: string): Finding[] => {
  const mark = readDamageMark(file);
  if (!mark) return [];
  const found = `the service found damage at ${mark.foundAt.toISOString()}: ${mark.damage}`;
  return [warning('scan', found, `${file}.damaged is removed after the next scan that finds no damage`)];
};

const diagnoseContent = async (file: string, environment: Environment): Promise<Finding[]> => {
  const reply = await checkFile(file).catch((error): CheckReply => {
    if (error instanceof BackupYielded) return { error: error.message };
    throw error;
  });
  if ('error' in reply) return [warning('database', `${file} was not checked`, reply.error)];
  if (reply.damage !== undefined)
    return [wrong('database', `${file} is damaged: ${reply.damage}`, `stop the service, then ${adviseRestore(file)}`)];
  using connection = connectSqlite(file, undefined, 'read');
  const [deployment] = connection.all('SELECT environment FROM deployment', []) as { environment: string }[];
  if (deployment && deployment.environment !== environment) {
    const advice = `set PETSTORE_ENVIRONMENT=${deployment.environment}, or set DATABASE_URL to another file`;
    return [wrong('database', `${file} is a ${deployment.environment} database`, advice)];
  }
  if (isMoveTarget(connection)) return [UNFINISHED];
  return [ok('database', `${file} is intact, ${megabytes(statSync(file).size)}`)];
};

const diagnoseFile = async (file: string, environment: Environment, mayCreate: boolean): Promise<Finding[]> => {
  const { seen, steps } = planSqliteMigrations(file);
  if (seen === 0) return [diagnoseMissing('database', `${file} does not exist`, mayCreate)];
  const schema =
    steps.length === 0
      ? ok('schema', `${seen}, up to date`)
      : warning('schema', `${seen}, ${pendingMigrations(steps.length)}`, 'make a backup before you start this version');
  const content = await diagnoseContent(file, environment);
  return [...content, ...diagnoseScan(file), schema, diagnoseAccess(file), diagnoseLog(file)];
};

export const diagnoseSqlite = async (path: string, environment: Environment, mayCreate = true): Promise<Finding[]> => {
  const folder = diagnoseFolder(path);
  // The check for free space needs the file's size, which is unknown if the folder cannot be read.
  const around = [folder, diagnoseOwner(path), ...(folder.state === 'ok' ? [diagnoseRoom(path)] : [])];
  try {
    return [...(await diagnoseFile(path, environment, mayCreate)), ...around];
  } catch (error) {
    const { message: found } = asUnusable(error, `cannot read ${path}`);
    return [wrong('database', found, 'see "Data" in docs/operating/troubleshoot.md'), ...around];
  }
};
