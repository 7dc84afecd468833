import type { Sample } from './metrics-text.ts';

/** The console reads these values from `/metrics`, because `GET /health/series` does not return them. */
export type State = {
  isWritable: boolean;
  isDamaged: boolean;
  /** Undefined if the service does not use Redis. */
  isRedisUp: boolean | undefined;
  /** Undefined before the first backup, and on PostgreSQL. */
  backupAgeMs: number | undefined;
};

export const readState = (samples: readonly Sample[]): State => {
  const find = (name: string): number | undefined => samples.find((sample) => sample.name === name)?.value;
  const [redis, backup] = [find('petstore_redis_up'), find('petstore_backup_age_seconds')];
  return {
    isWritable: find('petstore_database_up') !== 0,
    isDamaged: find('petstore_database_damaged') === 1,
    isRedisUp: redis === undefined ? undefined : redis > 0,
    backupAgeMs: backup === undefined ? undefined : backup * 1000,
  };
};
