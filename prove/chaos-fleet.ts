import { type Instance, startInstances } from '../test/instances.ts';
import { startPostgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { startRedis } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { startBalancer } from './fleet-balancer.ts';
import { portOf } from './fleet-load.ts';
import { allLogged, timesLogged } from './logged.ts';

type Member = { instance: Instance; way: Awaited<ReturnType<typeof startProxy>> };

export const startChaosFleet = async (count: number) => {
  const [postgres, redis] = [await startPostgres(), await startRedis()];
  const [toPostgres, toRedis] = [await startProxy(postgres.port), await startProxy(redis.port)];
  const running = await startInstances({
    count,
    server: postgres.url,
    databaseUrl: (url) => url.replace(`:${postgres.port}/`, `:${toPostgres.port}/`),
    environment: {
      REDIS_URL: `redis://127.0.0.1:${toRedis.port}`,
      PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  });
  const join = async (instance: Instance): Promise<Member> => ({ instance, way: await startProxy(portOf(instance)) });
  const members = await Promise.all(running.instances.map(join));
  const gone: Member[] = [];
  const balancer = await startBalancer(members.map(({ way }) => way.port));
  const everyone = () => [...gone, ...members].map(({ instance }) => instance);

  return {
    running,
    postgres,
    redis,
    toPostgres,
    toRedis,
    members,
    origin: `http://127.0.0.1:${balancer.port}`,
    log: () =>
      everyone()
        .map(({ program }) => program.written.out)
        .join(''),
    async timesRedisAway() {
      await allLogged(members.map(({ instance }) => instance));
      return everyone().reduce((sum, instance) => sum + timesLogged(instance, 'redis_away'), 0);
    },
    hasRedis: () =>
      members.every(({ instance }) => timesLogged(instance, 'redis_away') === timesLogged(instance, 'redis_back')),

    async replace(member: Member, signal: 'SIGKILL' | 'SIGTERM') {
      const at = members.indexOf(member);
      member.instance.program.signal(signal);
      await member.instance.program.ended();
      // Another process may soon listen on the old instance's port, and the proxy must not forward requests to it.
      await member.way.stop();
      const successor = await join(await running.start());
      members[at] = successor;
      gone.push(member);
      balancer.add(successor.way.port);
      await waitFor('the successor receives requests', () => balancer.isReady(successor.way.port));
    },

    async stop() {
      await balancer.stop();
      await running.stop();
      for (const { way } of members) await way.stop();
      for (const way of [toPostgres, toRedis]) await way.stop();
      await redis.remove();
      await postgres.remove();
    },
  };
};

export type ChaosFleet = Awaited<ReturnType<typeof startChaosFleet>>;
