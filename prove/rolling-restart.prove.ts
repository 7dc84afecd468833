import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { join } from 'node:path';
import { Client } from 'pg';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
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

const READER_MS = 12_000;
const NEWER = [process.execPath, join(import.meta.dir, '..', 'test', 'newer.program.ts')];

describe.skipIf(!POSTGRES_SERVER || lacks('Redis'))('three instances behind a proxy', () => {
  let redis: Redis;
  let running: Instances;
  let serving: Instance[];
  let balancer: Awaited<ReturnType<typeof startBalancer>>;
  beforeAll(async () => {
    redis = await startRedis();
    running = await startInstances({
      count: 3,
      environment: { REDIS_URL: redis.url, PETSTORE_DATABASE_TIMEOUT_MS: '5000' },
    });
    serving = [...running.instances];
    balancer = await startBalancer(running.instances.map(portOf));
  });
  afterAll(async () => {
    await balancer?.stop();
    await running?.stop();
    await redis?.remove();
  });

  const replaceAll = async (command?: readonly string[]): Promise<void> => {
    for (const old of serving.splice(0)) {
      const successor = await running.start({}, command);
      serving.push(successor);
      balancer.add(portOf(successor));
      await waitFor('the successor receives requests', () => balancer.isReady(portOf(successor)));
      old.program.signal('SIGTERM');
      expect((await old.program.ended()).exitCode).toBe(0);
    }
  };

  const expectNoFailure = async (change: () => Promise<void>, figure: (text: string) => void): Promise<void> => {
    const countPets = async () => (await query(running.url, 'SELECT count(*)::int AS pets FROM pets'))[0].pets;
    const before = await countPets();
    const next = (turn: number) => (turn % 4 === 0 ? ADD : READ);
    const load = startLoad({ ports: [balancer.port], callers: 16, pauseMs: 5, next });
    await waitFor('the load runs', () => load.answers.length > 200);
    await change();
    const answers = await load.stop();
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201);
    const acknowledged = answers.filter(({ status }) => status === 201).length;
    const kept = (await countPets()) - before;
    const { requests, p99 } = timesOf(answers);
    figure(`${failed.length} of ${requests} requests failed, p99 ${p99} ms`);
    figure(`${kept} of ${acknowledged} acknowledged kept`);
    expect(failed.map(({ status, message }) => message?.body || status)).toEqual([]);
    expect(kept).toBe(acknowledged);
  };

  proof(
    'three instances behind a proxy are replaced one after another under load, and no request fails',
    ({ figure }) => expectNoFailure(() => replaceAll(), figure),
  );

  proof(
    `three instances are upgraded to a version with a new schema and back under load, next to a ${READER_MS / 1000} s reader, and no request fails`,
    async ({ figure }) => {
      const reader = new Client({ connectionString: running.url });
      await reader.connect();
      await expectNoFailure(async () => {
        // Turns off the timeout for idle transactions, so that this reader can keep its transaction open as long as a
        // backup does.
        await reader.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SELECT count(*) FROM pets');
        const done = Bun.sleep(READER_MS).then(() => reader.query('COMMIT'));
        await replaceAll(NEWER);
        await done;
        await replaceAll();
      }, figure);
      await reader.end();
      const [{ color }] = await query(
        running.url,
        `SELECT indisvalid AS color FROM pg_index WHERE indexrelid = 'pets_color'::regclass`,
      );
      expect(color).toBe(true);
    },
  );
});
