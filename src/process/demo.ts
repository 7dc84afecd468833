import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadUsage } from '../cli/read-arguments.ts';
import type { Demo } from '../cli/serve-flags.ts';
import { type Config, flagOf, readConfig } from '../config.ts';
import type { Job } from '../kernel/job.ts';

/** Where files are memory, on machines that have it. */
const MEMORY = '/dev/shm';

const roomForFiles = (): string => {
  try {
    accessSync(MEMORY, constants.W_OK);
    return MEMORY;
  } catch {
    return tmpdir();
  }
};

type Settings = Record<string, string | undefined>;

const FIXED = { DATABASE_URL: 'a database of its own', PETSTORE_ENVIRONMENT: 'staging', REDIS_URL: 'no Redis' };

/** Events are kept in memory with the rest. */
const EVENT_DAYS = '1';

/**
 * The settings of a demo. What it stores is removed with the end of the process. What the environment says of a database is
 * meant for a service that is not a demo, as in the image; on the line that asks for one it is a mistake.
 */
export const readDemoConfig = (environment: Settings, flags: Settings): Config => {
  for (const [name, what] of Object.entries(FIXED)) {
    if (flags[name]) throw new BadUsage(`a demo has ${what}; leave ${flagOf(name)} out`);
  }
  const directory = mkdtempSync(join(roomForFiles(), 'petstore-demo-'));
  // However the process comes to its exit, also by a second signal.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const fixed = {
    DATABASE_URL: `sqlite:${join(directory, 'petstore.db')}`,
    PETSTORE_ENVIRONMENT: 'staging',
    REDIS_URL: undefined,
  };
  return readConfig({ PETSTORE_EVENT_DAYS: EVENT_DAYS, ...environment, ...fixed }, flags);
};

const call = async (origin: string, path: string, key: string, body?: object): Promise<unknown> => {
  const response = await fetch(`${origin}/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    // It calls itself: a proxy of the environment is not told the key.
    proxy: false,
  });
  if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}`);
  return response.status === 204 ? undefined : response.json();
};

type MadeKey = { key: string; storeId: number };

/**
 * Makes the key that visitors use, as an operator would, and the job that puts their store in order again. That has a key
 * of its own: visitors may spend theirs.
 */
export const prepareDemo = async (origin: string, adminKey: string, { resetEveryMs }: Demo) => {
  const makeKey = (fields: object) =>
    call(origin, '/keys', adminKey, { plan: 'business', ...fields }) as Promise<MadeKey>;
  const { key, storeId } = await makeKey({ name: 'demo' });
  if (resetEveryMs === undefined) return { testKey: key, jobs: [] };
  const { key: resetKey } = await makeKey({ name: 'reset', storeId, scopes: ['pets:write'] });
  const reset: Job = {
    name: 'reset_demo',
    everyMs: resetEveryMs,
    run: async () => {
      await call(origin, '/sandbox/reset', resetKey);
    },
  };
  return { testKey: key, jobs: [reset] };
};
