import { existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import type { Environment } from '../kernel/environment.ts';
import { type Finding, ok, warning, wrong } from '../kernel/finding.ts';
import { connectSqlite } from './sqlite.connection.ts';
import { adviseRestore, logSize } from './sqlite.files.ts';
import { markReading } from './sqlite.give-way.ts';
import { planSqliteMigrations } from './sqlite.open.ts';
import { diagnoseFolder, diagnoseOwner, nearestFolder } from './sqlite.owner.ts';
import { DatabaseUnusable } from './unusable.ts';

const MB = 1_000_000;
const megabytes = (bytes: number): string => `${Math.ceil(bytes / MB).toLocaleString('en')} MB`;

/** A log longer than this is one that somebody keeps from being used from its start again. */
const LONG_LOG_BYTES = 256 * MB;
/** Less than this is gone within a day of a busy shop. */
const LITTLE_ROOM_BYTES = 1000 * MB;

const OTHERS = 0o077;

const diagnoseRoom = (path: string): Finding => {
  const { bavail, bsize } = statfsSync(nearestFolder(path));
  const free = bavail * bsize;
  const needed = Math.max(LITTLE_ROOM_BYTES, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (free >= needed) return ok('disk', `${megabytes(free)} are free`);
  return warning(
    'disk',
    `only ${megabytes(free)} are free`,
    `make room: a migration or a backup takes ${megabytes(needed)}`,
  );
};

const diagnoseAccess = (file: string): Finding => {
  const open = [file, `${file}-wal`, `${file}-shm`].filter(
    (name) => existsSync(name) && (statSync(name).mode & OTHERS) !== 0,
  );
  if (open.length === 0) return ok('access', 'nobody but the owner can read the files');
  return warning('access', `others can read ${open.join(', ')}`, `chmod 600 ${open.join(' ')}`);
};

const diagnoseLog = (file: string): Finding => {
  const bytes = logSize(file);
  if (bytes < LONG_LOG_BYTES) return ok('log', `${file}-wal has ${megabytes(bytes)}`);
  return warning(
    'log',
    `${file}-wal has grown to ${megabytes(bytes)}`,
    'end the shell or backup that keeps a read open; a restart of the service makes it short again',
  );
};

/** Whether the structure is whole, and whose it is. A start meanwhile waits for the end of it. */
const diagnoseContent = (path: string, file: string, environment: Environment): Finding[] => {
  const reading = markReading(file);
  const connection = connectSqlite(file, undefined, 'read');
  try {
    const { quick_check: found } = connection.one('PRAGMA quick_check(1)', []) as { quick_check: string };
    if (found !== 'ok') return [wrong('database', `${path} is damaged: ${found}`, adviseRestore(file))];
    const [deployment] = connection.all('SELECT environment FROM deployment', []) as { environment: string }[];
    const size = megabytes(statSync(file).size);
    if (deployment && deployment.environment !== environment) {
      const advice = `set PETSTORE_ENVIRONMENT=${deployment.environment}, or DATABASE_URL to another file`;
      return [wrong('database', `${path} is a ${deployment.environment} database`, advice)];
    }
    return [ok('database', `${path} is whole, ${size}`)];
  } finally {
    connection.close();
    reading.end();
  }
};

const diagnoseFile = (path: string, environment: Environment): Finding[] => {
  const { seen, steps } = planSqliteMigrations(path);
  if (seen === 0) return [ok('database', `${path} is not there yet: the first start makes it`)];
  const file = realpathSync(path);
  const schema =
    steps.length === 0
      ? ok('schema', `${seen}, which is that of this version`)
      : warning('schema', `${seen}: a start migrates it in ${steps.length} steps`, 'make a backup first');
  return [...diagnoseContent(path, file, environment), schema, diagnoseAccess(file), diagnoseLog(file)];
};

/** A look at an SQLite file and its surroundings that changes nothing in them. */
export const diagnoseSqlite = (path: string, environment: Environment): Finding[] => {
  const folder = diagnoseFolder(path);
  // A folder that this user may not look into hides the size of the file.
  const around = [folder, diagnoseOwner(path), ...(folder.state === 'ok' ? [diagnoseRoom(path)] : [])];
  try {
    return [...diagnoseFile(path, environment), ...around];
  } catch (error) {
    // A failure tells callers little, and its cause the rest.
    const { message } = ((error as Error).cause ?? error) as Error;
    const found = error instanceof DatabaseUnusable ? error.message : `cannot read ${path}: ${message}`;
    return [wrong('database', found, 'see "Data" in docs/operating.md'), ...around];
  }
};
