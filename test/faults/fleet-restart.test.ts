import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ADMIN_KEY } from '../admin-key.ts';
import { type Instances, startInstances } from '../instances.ts';
import { lacks } from '../needs.ts';
import { POSTGRES_SERVER } from '../postgres-database.ts';
import { until } from '../program.ts';
import { query } from '../servers/databases.ts';
import { type Redis, startRedis } from '../servers/redis.ts';
import { startBalancer } from './fleet-balancer.ts';
import { portOf, requestText, startLoad, timesOf } from './fleet-load.ts';

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
  }, 30_000);
  afterAll(async () => {
    await balancer?.stop();
    await running?.stop();
    await redis?.remove();
  });

  test('are replaced one after another under load, and no request fails', async () => {
    const next = (turn: number) => (turn % 4 === 0 ? ADD : READ);
    const load = startLoad({ ports: [balancer.port], callers: 16, pauseMs: 5, next });
    await until('the load runs', () => load.answers.length > 200 || undefined);
    const began = performance.now();
    for (const { program } of running.instances) {
      program.signal('SIGTERM');
      const successor = portOf(await running.start());
      balancer.add(successor);
      await until('the successor is in the turn', () => balancer.isReady(successor) || undefined);
      expect((await program.ended()).exitCode).toBe(0);
    }
    const tookMs = Math.round(performance.now() - began);
    const answers = await load.stop();
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201);
    const acknowledged = answers.filter(({ status }) => status === 201);
    const [{ kept }] = await query(running.url, 'SELECT count(*)::int AS kept FROM pets');
    console.log(
      JSON.stringify({
        fault: 'rolling restart',
        ...timesOf(answers),
        tookMs,
        failed: failed.map(({ status, message }) => message?.body || status),
        acknowledged: acknowledged.length,
        kept,
      }),
    );
    expect(failed).toEqual([]);
    expect(kept).toBe(acknowledged.length);
  }, 60_000);
});
