import { findPgbouncer, startPgbouncer } from './pgbouncer.ts';
import { findPostgres, startPostgres } from './postgres.ts';
import { findRedis, startRedis } from './redis.ts';

/**
 * Starts PostgreSQL and Redis. Skips a server if the environment already contains its address, or if its program is not
 * installed. Adds a stop function to `ends` for each started server, even if a later server fails to start.
 */
export const startRunServers = async (ends: (() => Promise<void>)[]): Promise<Record<string, string>> => {
  const environment: Record<string, string> = {};
  if (!process.env.TEST_DATABASE_URL && findPostgres()) {
    const postgres = await startPostgres({ fsync: false });
    ends.push(postgres.remove);
    environment.TEST_DATABASE_URL = postgres.url;
  }
  const server = environment.TEST_DATABASE_URL;
  if (server && findPgbouncer()) {
    const pooler = await startPgbouncer(server);
    ends.push(pooler.remove);
    environment.TEST_POOLER_URL = pooler.through(server);
  }
  if (!process.env.TEST_REDIS_URL && findRedis()) {
    const redis = await startRedis();
    ends.push(redis.remove);
    environment.TEST_REDIS_URL = redis.url;
  }
  return environment;
};
