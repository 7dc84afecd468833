import { existsSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BadUsage } from '../../cli/args/read-arguments.ts';
import type { Demo } from '../../cli/args/serve-flags.ts';
import type { Variables } from '../../cli/args/variables.ts';
import type { compose } from '../compose/compose.ts';
import { type Config, flagOf, readConfig } from '../config.ts';
import { explainError, type Log } from '../kernel/log.ts';
import { tryTo } from '../kernel/runtime.ts';
import { asUnusable } from '../storage/unusable.ts';
import { startJobs } from './scheduler.ts';

const NAME = 'petstore-demo-';

const makeFolder = (): string => {
  try {
    return tryTo(() => mkdtempSync(join('/dev/shm', NAME))) ?? mkdtempSync(join(tmpdir(), NAME));
  } catch (error) {
    throw asUnusable(error, 'cannot create a folder for the demo', '; set TMPDIR to a folder that you can write to');
  }
};

const newFileIn = (directory: string): string => join(mkdtempSync(join(directory, 'data-')), 'petstore.db');

const FIXED = {
  DATABASE_URL: 'has its own database',
  PETSTORE_ENVIRONMENT: 'is always staging',
  REDIS_URL: 'does not use Redis',
};

/** If the environment specifies a database, that database is meant for a normal service, so the demo ignores it. */
export const readDemoConfig = (environment: Variables, flags: Variables): Config => {
  for (const [name, fact] of Object.entries(FIXED)) {
    if (flags[name]) throw new BadUsage(`a demo ${fact}; leave out ${flagOf(name)}`);
  }
  const directory = makeFolder();
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const fixed = {
    DATABASE_URL: `sqlite:${newFileIn(directory)}`,
    PETSTORE_CREATE: 'true',
    PETSTORE_ENVIRONMENT: 'staging',
    ...{ REDIS_URL: undefined, REDIS_URL_FILE: undefined, DATABASE_URL_FILE: undefined },
  };
  return readConfig({ PETSTORE_EVENT_DAYS: '15', ...environment, ...fixed }, flags);
};

const MAX_BYTES = 1024 ** 3;
// Disk space to allow for each event. An event with its related rows takes up to 7 KB, and a pet (one for every three
// events) takes up to 10 KB. Each batch needs space twice: in the WAL and in the database file. With this value, at
// least a quarter of the space stays free.
const BYTES_PER_EVENT = 24 * 1024;
const CHECKPOINT_PAGES = 1000;

const fileOf = ({ DATABASE_URL: place }: Config): string => (place.engine === 'sqlite' ? place.path : '');

const roomOf = (config: Config): number => {
  const { bavail, bsize } = statfsSync(dirname(fileOf(config)));
  return Math.min(MAX_BYTES, bavail * bsize);
};

export const demoLimits = (config: Config) => {
  const events = Math.floor(roomOf(config) / BYTES_PER_EVENT);
  return { maxEvents: events, maxPets: Math.floor(events / 3), checkpointPages: CHECKPOINT_PAGES };
};

/**
 * A broken database stays open. Deleting an open file frees no disk space, so the database's files are emptied first.
 * The new database gets another path, because the old one is locked. The new folder is not created inside the old one,
 * because SQLite allows at most 512 bytes per path.
 */
export const replaceDemoFile = <Settings extends Config>(config: Settings): Settings => {
  const file = fileOf(config);
  for (const path of [file, `${file}-wal`]) if (existsSync(path)) truncateSync(path);
  rmSync(dirname(file), { recursive: true, force: true });
  return { ...config, DATABASE_URL: { engine: 'sqlite', path: newFileIn(dirname(dirname(file))) } };
};

const MAX_RESERVED_BYTES = 16 * 1024 ** 2;

/** Visitors could fill up the disk, so the disk space that a reset needs is reserved. */
const createReserve = (config: Config) => {
  const file = join(dirname(dirname(fileOf(config))), 'reserve');
  const bytes = Math.min(MAX_RESERVED_BYTES, Math.floor(roomOf(config) / 10));
  return {
    take: (): void => {
      try {
        writeFileSync(file, new Uint8Array(bytes));
      } catch {
        rmSync(file, { force: true });
      }
    },
    release: (): void => rmSync(file, { force: true }),
  };
};

type Sandboxes = Awaited<ReturnType<typeof compose>>['sandboxes'];

export type Prepare = (sandboxes: Sandboxes) => Promise<void>;

type Opened = { config: Config; log: Log; sandboxes: Sandboxes; recreate(prepare: Prepare): Promise<void>; demo: Demo };

export const openDemo = async ({ config, log, sandboxes, recreate, demo: { resetEveryMs } }: Opened) => {
  const { secret, storeId } = await sandboxes.open();
  if (resetEveryMs === undefined) return { testKey: secret, stop: async () => undefined };
  const reserve = createReserve(config);
  let current = { sandboxes, storeId };

  const startOver = async (error: unknown): Promise<void> => {
    log.error('demo_reset_failed', {
      error: explainError(error),
      advice: 'no action needed: the demo continues with a new file and the same test key and admin key',
    });
    // Stores the test key before the service accepts requests. Otherwise, the service could cache the test key as an
    // unknown key.
    await recreate(async (made) => {
      current = { sandboxes: made, storeId: (await made.open(secret)).storeId };
    });
  };
  const reset = async (): Promise<void> => {
    reserve.release();
    await current.sandboxes.renew(current.storeId).catch(startOver);
    reserve.take();
    log.info('demo_reset');
  };
  reserve.take();
  return { testKey: secret, stop: startJobs([{ name: 'reset_demo', everyMs: resetEveryMs, run: reset }], log) };
};
