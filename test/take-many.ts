import { parseRedisUrl, type RedisAddress } from '../src/limits/redis/address.ts';
import { createRedisLimiter } from '../src/limits/redis/limiter.redis.ts';
import { keySubject } from '../src/limits/window.ts';

const [url = '', keyId = '', limit = '', requests = '', atOnce = ''] = process.argv.slice(2);

const problems: string[] = [];
const limiter = await createRedisLimiter({
  address: parseRedisUrl(url) as RedisAddress,
  clock: Date.now,
  log: { warn: (event) => problems.push(event), info: () => undefined },
  tallies: new Map(),
  saveBan: async () => undefined,
  // The timeout is long, because several processes that run this program may share one core.
  timeoutMs: 60_000,
});
const key = keySubject({ keyId, limits: { perMinute: Number(limit), perDay: 1_000_000 } });
// Each window lasts a day, so that no window ends during the test. Tests cannot change Redis's clock.
const subject = { ...key, windows: key.windows.map((window) => ({ ...window, lengthMs: 24 * 3_600_000 })) };
await limiter.peek(subject);
console.log('ready');
for await (const _ of console) break;
let admitted = 0;
for (let sent = 0; sent < Number(requests); sent += Number(atOnce)) {
  const verdicts = await Promise.all(Array.from({ length: Number(atOnce) }, () => limiter.take(subject)));
  admitted += verdicts.filter(({ refused }) => !refused).length;
}
limiter.close();
console.log(JSON.stringify({ admitted, problems }));
process.exit(0);
