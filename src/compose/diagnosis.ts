import type { Config } from '../config.ts';
import { type Finding, ok } from '../kernel/finding.ts';

const diagnoseDatabase = async (config: Config): Promise<Finding[]> => {
  const { DATABASE_URL: place, PETSTORE_ENVIRONMENT: environment, PETSTORE_DATABASE_TIMEOUT_MS: timeoutMs } = config;
  if (place.engine === 'sqlite')
    return (await import('../storage/sqlite/integrity/diagnose.ts')).diagnoseSqlite(place.path, environment);
  const { diagnosePostgres } = await import('../storage/postgres/diagnose.ts');
  return diagnosePostgres({ url: place.url, environment, timeoutMs });
};

const diagnoseLimits = async ({ REDIS_URL: url, PETSTORE_REDIS_TIMEOUT_MS: timeoutMs }: Config): Promise<Finding[]> => {
  if (url === undefined) return [ok('Redis', 'none is set: windows are kept in the process and the database')];
  return (await import('../limits/redis/diagnose.redis.ts')).diagnoseRedis(url, timeoutMs);
};

/** What a service with these settings would stand on, as it is now. */
export const diagnose = async (config: Config): Promise<Finding[]> => [
  ...(await diagnoseDatabase(config)),
  ...(await diagnoseLimits(config)),
];
