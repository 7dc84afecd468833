import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { query } from '../test/servers/databases.ts';
import { type Redis, startRedis } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { startBalancer } from './fleet-balancer.ts';
import { portOf, requestText, startLoad, timesOf } from './fleet-load.ts';
import { proof } from './proof.ts';

const READ = requestText('GET', '/v1/pets?limit=5', { key: ADMIN_KEY });
const ADD = requestText('POST', '/v1/pets', { key: ADMIN_KEY, body: { name: 'Rex', categoryId: 1 } });

describe.skipIf(!POSTGRES_SERVER || lacks('Redis'))('three instances behind a proxy', () => {
  let redis: Redis;
  let running: Instances;
  let balancer: Awaited<ReturnType<typeof startBalancer>>;
  beforeAll(async () => {
    redis = await startRedis();
    running = await startInstances({ count: 3, environment: { REDIS_URL: redis.url } });
    balancer = await startBalancer(running.instances.map(portOf));
  });
  afterAll(async () => {
    await balancer?.stop();
    await running?.stop();
    await redis?.remove();
  });

  proof(
    'three instances behind a proxy are replaced one after another under load, and no request fails',
    async ({ figure }) => {
      const next = (turn: number) => (turn % 4 === 0 ? ADD : READ);
      const load = startLoad({ ports: [balancer.port], callers: 16, pauseMs: 5, next });
      await waitFor('the load runs', () => load.answers.length > 200);
      for (const { program } of running.instances) {
        program.signal('SIGTERM');
        const successor = portOf(await running.start());
        balancer.add(successor);
        await waitFor('the successor receives requests', () => balancer.isReady(successor));
        expect((await program.ended()).exitCode).toBe(0);
      }
      const answers = await load.stop();
      const failed = answers.filter(({ status }) => status !== 200 && status !== 201);
      const acknowledged = answers.filter(({ status }) => status === 201);
      const [{ kept }] = await query(running.url, 'SELECT count(*)::int AS kept FROM pets');
      const { requests, p99 } = timesOf(answers);
      figure(`${failed.length} of ${requests} requests failed, p99 ${p99} ms`);
      figure(`${kept} of ${acknowledged.length} acknowledged writes kept`);
      expect(failed.map(({ status, message }) => message?.body || status)).toEqual([]);
      expect(kept).toBe(acknowledged.length);
    },
  );
});
