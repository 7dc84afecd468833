import { connectRedis } from '../src/limits/redis/connection.redis.ts';
import { SCRIPT } from '../src/limits/redis/script.redis.ts';

export const TIMED_SCRIPT = SCRIPT.replace(`redis.call('TIME')`, '{0, ARGV[5] * 1000}');

/**
 * A time ten days in the future. Redis uses its own clock to delete expired data, so data with times in the past would
 * disappear during a test.
 */
export const timeAhead = (): number => Date.now() + 10 * 24 * 3_600_000;

export const connectTimed =
  (clock: () => number): typeof connectRedis =>
  async (address, _script, timeoutMs) => {
    const connection = await connectRedis(address, TIMED_SCRIPT, timeoutMs);
    return { ...connection, run: (key, words) => connection.run(key, [...words, `${clock()}`]) };
  };
