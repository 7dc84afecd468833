import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { type Redis, startRedis, startRedisCluster } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { askTogether, countWords, portOf, requestText, startLoad, timesOf } from './fleet-load.ts';
import { allLogged, timesLogged } from './logged.ts';
import { LONG, proof, type Tell } from './proof.ts';

const WAIT_MS = 600;
const SETTLED_MS = 1000;
const P99_MS = 50;
const BACK_MS = 2000;
const LIMIT = 40;
const AWAY_MS = LONG ? 3000 : 2000;

const isReported = (instances: readonly Instance[], event: string, before: readonly number[]) =>
  waitFor(`every instance says ${event}`, () =>
    instances.every((instance, index) => timesLogged(instance, event) > (before[index] as number)),
  );

const issueLimited = (running: Instances) =>
  running.issueKey({ plan: 'enterprise', limits: { perMinute: LIMIT, perDay: 1_000_000 } });

const admittedBy = async (running: Instances, instances: readonly Instance[]): Promise<number[]> => {
  const { key } = await issueLimited(running);
  const asked = Array(1.5 * LIMIT).fill(requestText('GET', '/v1/pets?limit=1', { key }));
  const answers = await Promise.all(instances.map((instance) => askTogether([portOf(instance)], asked)));
  return answers.map((some) => countWords(some)[200] ?? 0);
};

const timesOfAll = async (instances: readonly Instance[], event: string): Promise<number[]> => {
  await allLogged(instances);
  return instances.map((instance) => timesLogged(instance, event));
};

const timesAway = async (instances: readonly Instance[]): Promise<number[] | undefined> => {
  const [away, back] = [await timesOfAll(instances, 'redis_away'), await timesOfAll(instances, 'redis_back')];
  return Bun.deepEquals(away, back) ? away : undefined;
};

const admittedTogether = (running: Instances): Promise<number> =>
  waitFor('all count together', async () => {
    const { instances } = running;
    const before = await timesAway(instances);
    if (!before) return undefined;
    const admitted = await admittedBy(running, instances);
    if (!Bun.deepEquals(await timesAway(instances), before)) return undefined;
    return admitted.reduce((sum, each) => sum + each, 0);
  });

const GETS = { callers: 16, pauseMs: 10, next: () => requestText('GET', '/v1/pets?limit=1', { key: ADMIN_KEY }) };

type Fault = { begin(): unknown; end(): Promise<unknown>; awayMs: number };

const suffer = async (running: Instances, { begin, end, awayMs }: Fault) => {
  const { instances } = running;
  const load = startLoad({ ...GETS, ports: instances.map(portOf) });
  const answered = (count: number) => waitFor(`${count} answers`, () => load.answers.length >= count);
  await answered(1000);
  const before = await waitFor('all instances count in Redis', () => timesAway(instances));
  const began = performance.now();
  await begin();
  await isReported(instances, 'redis_away', before);
  const admitted = await admittedBy(running, instances);
  // A Redis cluster recovers by itself, so on an overloaded machine, an instance may have started to use Redis again
  // during this measurement. In that case, `admitted` does not show how many requests an instance admits without Redis.
  const wasAlone = Bun.deepEquals(await timesOfAll(instances, 'redis_back'), before);
  await waitFor('it has been away for a while', () => performance.now() - began > awayMs);
  await end();
  const ended = performance.now();
  await isReported(instances, 'redis_back', before);
  const backMs = Math.round(performance.now() - ended);
  const together = await admittedTogether(running);
  await answered(load.answers.length + 700);
  const answers = await load.stop();
  return {
    away: timesOf(load.between(began, ended)),
    settled: timesOf(load.between(began + SETTLED_MS, ended)),
    failed: answers.filter(({ status }) => status === 0 || status >= 500).length,
    alone: wasAlone ? admitted : undefined,
    backMs,
    together,
  };
};

const expectHeld = (tell: Tell, seen: Awaited<ReturnType<typeof suffer>>) => {
  const { failed, away, settled, alone, backMs, together } = seen;
  tell.figure(`${failed} of ${away.requests} requests failed meanwhile`);
  const admittedAlone = alone ? `admitted on their own: ${alone.join(' and ')} of ${LIMIT}; ` : '';
  tell.figure(`${admittedAlone}admitted together afterwards: ${together}`);
  tell.time('longest wait', away.most, WAIT_MS);
  tell.time('p99 from one second after the failure', settled.p99, P99_MS);
  tell.time('sharing counts again after', backMs, BACK_MS);
  expect(failed).toBe(0);
  if (alone) expect(alone).toEqual(alone.map(() => LIMIT));
  expect(together).toBe(LIMIT);
};

describe.skipIf(!POSTGRES_SERVER || lacks('Redis'))('two instances under load whose Redis', () => {
  let redis: Redis;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let running: Instances;
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startProxy(redis.port);
    running = await startInstances({ count: 2, environment: { REDIS_URL: `redis://127.0.0.1:${proxy.port}` } });
  });
  afterEach(async () => {
    await running?.stop();
    await proxy?.stop();
    await redis?.remove();
  });

  const faults: [string, Omit<Fault, 'awayMs'>][] = [
    ['is killed', { begin: () => redis.kill(), end: () => redis.restart() }],
    ['is black-holed', { begin: () => proxy.blackHole(), end: () => proxy.restore() }],
    ['is cut off', { begin: () => proxy.cut(), end: () => proxy.restore() }],
  ];

  for (const [name, fault] of faults) {
    proof(
      `two instances whose Redis ${name} answer every request, each enforce the limit, and soon share counts again`,
      async (tell) => {
        const seen = await suffer(running, { ...fault, awayMs: AWAY_MS });
        expect(seen.alone).toBeDefined();
        expectHeld(tell, seen);
      },
    );
  }

  proof('two instances whose Redis loses its data keep every ban', async ({ figure }) => {
    const { key } = await issueLimited(running);
    const ports = running.instances.map(portOf);
    const ask = (count: number) =>
      askTogether(ports, Array(count).fill(requestText('GET', '/v1/pets?limit=1', { key }))).then(countWords);
    await waitFor('the key is banned', async () => (await ask(LIMIT)).api_key_banned);
    const isKnownBy = async (port: number): Promise<boolean> => {
      await redis.command('FLUSHALL');
      return countWords(await askTogether([port], [requestText('GET', '/v1/pets', { key })])).api_key_banned === 1;
    };
    for (const port of ports) await waitFor('the instance knows of the ban', () => isKnownBy(port));
    await redis.command('FLUSHALL');
    expect(await ask(20)).toEqual({ api_key_banned: 20 });
    const newcomer = portOf(await running.start());
    expect(countWords(await askTogether([newcomer], [requestText('GET', '/v1/pets', { key })]))).toEqual({
      api_key_banned: 1,
    });
    await redis.command('SET', 'before', '1');
    await redis.kill();
    await redis.restart();
    expect(await redis.command('EXISTS', 'before')).toBe('0');
    expect(await ask(20)).toEqual({ api_key_banned: 20 });
    const other = portOf(await running.start());
    expect(countWords(await askTogether([other], [requestText('GET', '/v1/pets', { key })]))).toEqual({
      api_key_banned: 1,
    });
    figure('42 of 42 requests refused after Redis was emptied and after it was killed');
  });
});

describe.skipIf(!POSTGRES_SERVER || lacks('Redis'))('two instances under load on a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  let running: Instances;
  beforeAll(async () => {
    cluster = await startRedisCluster({ replicas: true });
    running = await startInstances({ count: 2, environment: { REDIS_URL: cluster.url } });
  });
  afterAll(async () => {
    await running?.stop();
    await cluster?.remove();
  });

  proof(
    'two instances on a Redis Cluster that loses a master answer every request, and share counts again once its replica has taken over',
    async (tell) => {
      // The load uses the admin key, so the proof must kill the master that counts the admin key's requests.
      const [first] = running.instances as [Instance];
      await first.call('GET', '/v1/pets');
      const { id } = (await first.call('GET', '/v1/keys/me')).body;
      const counts = await Promise.all(cluster.masters.map(({ command }) => command('EXISTS', `rl:{${id}}`)));
      const lost = counts.indexOf('1');
      const isWhole = async () => {
        await Bun.sleep(200);
        const roles = await Promise.all(cluster.replicas.map(({ command }) => command('ROLE')));
        const info = await cluster.masters[(lost + 1) % 3]?.command('CLUSTER', 'INFO');
        return roles.some((role) => role.startsWith('master')) && info?.includes('cluster_state:ok');
      };
      const seen = await suffer(running, {
        begin: () => cluster.killMaster(lost),
        end: () => waitFor('the cluster is whole', isWhole),
        awayMs: 0,
      });
      expectHeld(tell, seen);
    },
  );
});
