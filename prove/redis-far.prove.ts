import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { startBusyLoops } from '../test/busy-loops.ts';
import { type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { waitFor } from '../test/wait-for.ts';
import { startFarRedis, startFarRedisCluster } from './far-redis.ts';
import { timesLogged } from './logged.ts';
import { LONG, proof } from './proof.ts';
import { bansOf, rush, warmUp } from './rush.ts';

const BUSY_LOOPS = 8;
const LIMIT = 1000;
const DELAYS_MS = LONG ? [5, 20, 35, 60, 200] : [5, 200];
const MAX_ROUNDS = 3;

const PLACES = [
  ['a Redis', startFarRedis],
  ['a three-node Redis Cluster', startFarRedisCluster],
] as const;

describe.skipIf(!POSTGRES_SERVER || lacks('Redis')).each(PLACES)('four instances and %s far away', (place, start) => {
  let redis: Awaited<ReturnType<typeof start>>;
  let running: Instances;
  let endLoops: () => Promise<void>;
  const timesOf = (event: string): number =>
    running.instances.reduce((sum, instance) => sum + timesLogged(instance, event), 0);
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
      `${place} with ${delayMs} ms more round-trip time, on an overloaded machine: exactly as many requests are admitted as the limit allows, and the key is banned once`,
      async ({ figure }) => {
        redis.delay(delayMs);
        for (let round = 1; ; round += 1) {
          const before = timesOf('redis_away');
          const { id, admitted, expected, refused, shed } = await rush(running, LIMIT);
          const bans = await bansOf(running, id, refused >= LIMIT);
          figure(`${admitted} of ${expected} admitted, ${refused} refused, ${shed} shed`);
          const seen = { admitted, bans: bans.length };
          const promised = { admitted: expected, bans: refused >= LIMIT ? 1 : 0 };
          if (round === MAX_ROUNDS || Bun.deepEquals(seen, promised)) {
            expect(seen).toEqual(promised);
            return;
          }
          await waitFor('an instance says that Redis was away', () => timesOf('redis_away') > before);
          figure('Redis was silent for longer than an instance waits; repeated');
          await waitFor('Redis counts again', () => timesOf('redis_back') === timesOf('redis_away'));
        }
      },
    );
  }
});
