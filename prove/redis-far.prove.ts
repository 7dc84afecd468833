import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { startBusyLoops } from '../test/busy-loops.ts';
import { type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { startFarRedis, startFarRedisCluster } from './far-redis.ts';
import { LONG, proof } from './proof.ts';
import { bansOf, rush, warmUp } from './rush.ts';

const BUSY_LOOPS = 8;
const LIMIT = 1000;
const DELAYS_MS = LONG ? [5, 20, 35, 60, 200] : [5, 200];

const PLACES = [
  ['a Redis', startFarRedis],
  ['a Redis Cluster of three', startFarRedisCluster],
] as const;

describe.skipIf(!POSTGRES_SERVER || lacks('Redis')).each(PLACES)('four instances and %s far away', (place, start) => {
  let redis: Awaited<ReturnType<typeof start>>;
  let running: Instances;
  let endLoops: () => Promise<void>;
  beforeAll(async () => {
    redis = await start();
    running = await startInstances({ count: 4, environment: { REDIS_URL: redis.url } });
    await warmUp(running);
    endLoops = startBusyLoops(BUSY_LOOPS);
  });
  afterAll(async () => {
    await endLoops?.();
    await running?.stop();
    await redis?.remove();
  });

  for (const delayMs of DELAYS_MS) {
    proof(
      `${place} with a round trip of ${delayMs} ms more, on a starved machine: exactly the limit, one ban`,
      async ({ figure }) => {
        redis.delay(delayMs);
        const { id, admitted, expected, refused, shed } = await rush(running, LIMIT);
        figure(`${admitted} of ${expected} admitted, ${refused} refused, ${shed} shed`);
        expect(admitted).toBe(expected);
        expect(await bansOf(running, id, refused >= LIMIT)).toHaveLength(refused >= LIMIT ? 1 : 0);
      },
    );
  }
});
