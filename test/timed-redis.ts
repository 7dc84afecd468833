import { connectRedis } from '../src/limits/redis/connection.redis.ts';
import { SCRIPT } from '../src/limits/redis/script.redis.ts';

/** The script of the limiter, with the time as a further argument instead of that of Redis. */
export const TIMED_SCRIPT = SCRIPT.replace(`redis.call('TIME')`, '{0, ARGV[5] * 1000}');

/** What Redis believes to be over is gone: the time of a test is never before its own. */
export const timeAhead = (): number => Date.now() + 10 * 24 * 3_600_000;

/** Reaches a Redis whose script goes by this clock. */
export const connectTimed =
  (clock: () => number): typeof connectRedis =>
  async (url, _script, timeoutMs) => {
    const connection = await connectRedis(url, TIMED_SCRIPT, timeoutMs);
    return { ...connection, run: (key, words) => connection.run(key, [...words, `${clock()}`]) };
  };
