import { findPostgres, startPostgres } from './postgres.ts';
import { findRedis, startRedis } from './redis.ts';

/**
 * One server of each kind for a whole run, unless the run is given one or its program is not here. The environment tells
 * the tests where they are; `ends` gets what ends them, also of those that stand when another one does not start.
 */
export const startServersOfRun = async (ends: (() => Promise<void>)[]): Promise<Record<string, string>> => {
  const environment: Record<string, string> = {};
  if (!process.env.TEST_DATABASE_URL && findPostgres()) {
    // What a crash of the machine would leave is asked by tests with a server of their own.
    const postgres = await startPostgres({ fsync: false });
    ends.push(postgres.remove);
    environment.TEST_DATABASE_URL = postgres.url;
  }
  if (!process.env.TEST_REDIS_URL && findRedis()) {
    const redis = await startRedis();
    ends.push(redis.remove);
    environment.TEST_REDIS_URL = redis.url;
  }
  return environment;
};
