import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { query } from '../test/servers/databases.ts';
import { findPostgres, startPostgres } from '../test/servers/postgres.ts';
import { findRedis, startRedis } from '../test/servers/redis.ts';
import { compare, type Readings } from './compare.ts';
import type { Kind } from './load.ts';
import { fill } from './questions.ts';
import { issueKey, type Server, startBareShared, startService } from './servers.ts';
import { findText, recordCreate } from './statements.ts';
import type { Setting } from './works.ts';

export type SharedRow = { work: string; promise: string; readings: Readings; ratio: number; isMet: boolean };

type SharedWork = { work: string; kind: Kind; atLeast: number; promise: string };

const WORKS: readonly SharedWork[] = [
  {
    work: '`GET /pets/{id}`, random, on PostgreSQL and Redis',
    kind: 'known',
    atLeast: 0.5,
    promise: '≥ 0.5 × per core',
  },
  {
    work: '`POST /pets` on PostgreSQL and Redis',
    kind: 'create',
    atLeast: 1 / 1.5,
    promise: '≥ 0.67 × per core (≤ 1.5 × the processor time)',
  },
];

const CONNECTIONS = 64;

export const sharedLacks = (): string | undefined => {
  const missing = [findPostgres() ? [] : ['PostgreSQL'], findRedis() ? [] : ['Redis']].flat();
  return missing.length === 0
    ? undefined
    : `${missing.join(' and ')} not installed; npm run services:install installs it`;
};

/**
 * Writes the ids of all pets to a file. PostgreSQL leaves gaps between ids, so the load generator must request only
 * the ids in this file.
 */
const writeIds = async (path: string, database: string): Promise<string> => {
  const rows = await query(database, 'SELECT id FROM pets');
  writeFileSync(path, `${rows.map(({ id }) => id).join('\n')}\n`);
  return path;
};

/**
 * The bare server uses a copy of the database. Otherwise, the service would process the events that the bare server
 * stores.
 */
const startBoth = async (setting: Setting, pets: number, ends: (() => Promise<void>)[]) => {
  const postgres = await startPostgres();
  ends.push(postgres.remove);
  const redis = await startRedis();
  ends.push(redis.remove);
  const database = await postgres.createDatabase('bench');
  await fill(database, pets);
  const copy = await postgres.createDatabase('bench_copy', 'bench');
  const service: Server = await startService(database, setting.log, { REDIS_URL: redis.url });
  ends.push(service.stop);
  const key = await issueKey(service);
  const bare = await startBareShared(service, key, setting.log, {
    DATABASE_URL: copy,
    REDIS_URL: redis.url,
    BENCH_FIND: await findText(),
    BENCH_CREATE: JSON.stringify(await recordCreate()),
  });
  ends.push(bare.stop);
  return { service, bare, key, cursorFile: await writeIds(join(setting.directory, 'ids'), database) };
};

/**
 * `ratio` compares only the processor time that each server process uses per request. Requests per second would not be
 * comparable, because PostgreSQL and Redis also run on the load generator's core.
 */
export const runShared = async (setting: Setting, pets: number): Promise<SharedRow[]> => {
  const ends: (() => Promise<void>)[] = [];
  try {
    const { service, bare, key, cursorFile } = await startBoth(setting, pets, ends);
    const { seconds, rounds } = setting;
    const rows: SharedRow[] = [];
    for (const { work, kind, atLeast, promise } of WORKS) {
      const load = { kind, key, pets, cursorFile, seconds, connections: CONNECTIONS };
      const readings = await compare([service, bare], load, rounds);
      const ratio = (readings.bare?.cpuMicros ?? 0) / (readings.ours?.cpuMicros ?? 1);
      rows.push({ work, promise, readings, ratio, isMet: ratio >= atLeast });
    }
    return rows;
  } finally {
    for (const end of ends.reverse()) await end();
  }
};
