import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { startRedis, startRedisCluster } from '../test/servers/redis.ts';
import { countWords, type Message, statusOf } from './fleet-load.ts';
import { proof } from './proof.ts';
import { askAll, bansOf, issueLimited, rush, warmUp } from './rush.ts';

const PLACES = [
  ['one Redis', startRedis],
  ['a three-node Redis Cluster', startRedisCluster],
] as const;

describe.skipIf(!POSTGRES_SERVER || lacks('Redis')).each(PLACES)('four instances on %s', (place, startPlace) => {
  let redis: Awaited<ReturnType<typeof startPlace>>;
  let running: Instances;
  beforeAll(async () => {
    redis = await startPlace();
    running = await startInstances({ count: 4, environment: { REDIS_URL: redis.url } });
    await warmUp(running);
  });
  afterAll(async () => {
    await running?.stop();
    await redis?.remove();
  });

  const showRush = ({ admitted, expected, refused, shed }: Awaited<ReturnType<typeof rush>>) =>
    `${admitted} of ${expected} admitted, ${refused} refused, ${shed} shed`;

  proof(
    `four instances on ${place} admit exactly as many of 5,000 simultaneous requests as the limit allows, and ban the key once`,
    async ({ figure }) => {
      const seen = await rush(running, 1000);
      figure(showRush(seen));
      expect(seen).toEqual({ ...seen, admitted: seen.expected });
      const isDue = seen.refused >= 1000;
      expect(await bansOf(running, seen.id, isDue)).toHaveLength(isDue ? 1 : 0);
    },
  );

  proof(
    `four instances on ${place} admit exactly as many of 5,000 simultaneous requests as the limit allows, when there is no ban`,
    async ({ figure }) => {
      const seen = await rush(running, 3000);
      figure(showRush(seen));
      expect(seen).toEqual({ ...seen, admitted: seen.expected });
      expect(await bansOf(running, seen.id, false)).toEqual([]);
    },
  );

  proof(`four instances on ${place} add up their refusals towards one ban`, async ({ figure }) => {
    const { id, key } = await issueLimited(running, 40);
    const answers: Message[] = [];
    const count = (status: number) => answers.filter((answer) => statusOf(answer) === status).length;
    while (count(429) < 40) answers.push(...(await askAll(running, key, 20)));
    expect([count(200), countWords(answers).daily_quota_exceeded]).toEqual([40, 39]);
    expect(await bansOf(running, id, true)).toHaveLength(1);
    figure('the fortieth refusal, on whichever instance, triggers the ban');
  });
});
