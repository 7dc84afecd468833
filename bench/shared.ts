import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqlPets } from '../src/resources/pets/pets.repository.sql.ts';
import type { Sql } from '../src/storage/sql.ts';
import { query } from '../test/servers/databases.ts';
import { findPostgres, startPostgres } from '../test/servers/postgres.ts';
import { findRedis, startRedis } from '../test/servers/redis.ts';
import { compare, type Readings } from './compare.ts';
import { fill } from './questions.ts';
import { issueKey, type Server, startBareShared, startService } from './servers.ts';
import type { Setting } from './works.ts';

export type SharedRow = { work: string; promise: string; readings: Readings; ratio: number; isMet: boolean };

const AT_LEAST = 0.5;
const CONNECTIONS = 64;

export const sharedLacks = (): string | undefined => {
  const missing = [findPostgres() ? [] : ['PostgreSQL'], findRedis() ? [] : ['Redis']].flat();
  return missing.length === 0
    ? undefined
    : `${missing.join(' and ')} not installed; npm run services:install installs it`;
};

/** Records the statement with which the service reads a pet, because the bare server must send the same one. */
const findText = async (): Promise<string> => {
  let sent = '';
  const sql = {
    writer: 0n,
    one: async (text: string) => {
      sent = text;
      return undefined;
    },
  } as unknown as Sql;
  await sqlPets(sql, 1n, () => 0).find(1n);
  return sent;
};

/** PostgreSQL leaves gaps between ids, so the load requests only the ids in this file. */
const writeIds = async (path: string, database: string): Promise<string> => {
  const rows = await query(database, 'SELECT id FROM pets');
  writeFileSync(path, `${rows.map(({ id }) => id).join('\n')}\n`);
  return path;
};

/**
 * `ratio` compares only the processor time per request in the serving process. The load generator's core also runs
 * PostgreSQL and Redis, so requests per second would not be comparable.
 */
export const runShared = async (setting: Setting, pets: number): Promise<SharedRow> => {
  const ends: (() => Promise<void>)[] = [];
  try {
    const postgres = await startPostgres();
    ends.push(postgres.remove);
    const redis = await startRedis();
    ends.push(redis.remove);
    const database = await postgres.createDatabase();
    await fill(database, pets);
    const environment = { DATABASE_URL: database, REDIS_URL: redis.url };
    const service: Server = await startService(database, setting.log, { REDIS_URL: redis.url });
    ends.push(service.stop);
    const key = await issueKey(service);
    const bare = await startBareShared(service, key, setting.log, { ...environment, BENCH_FIND: await findText() });
    ends.push(bare.stop);
    const { seconds, rounds } = setting;
    const cursorFile = await writeIds(join(setting.directory, 'ids'), database);
    const load = { kind: 'known' as const, key, pets, cursorFile, seconds, connections: CONNECTIONS };
    const readings = await compare([service, bare], load, rounds);
    const ratio = (readings.bare?.cpuMicros ?? 0) / (readings.ours?.cpuMicros ?? 1);
    const work = '`GET /pets/{id}`, random, on PostgreSQL and Redis';
    return { work, promise: `≥ ${AT_LEAST} × per core`, readings, ratio, isMet: ratio >= AT_LEAST };
  } finally {
    for (const end of ends.reverse()) await end();
  }
};
