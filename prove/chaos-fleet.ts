import { type Instance, startInstances } from '../test/instances.ts';
import { startPostgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { startRedis } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { startBalancer } from './fleet-balancer.ts';
import { portOf } from './fleet-load.ts';

type Member = { instance: Instance; way: Awaited<ReturnType<typeof startProxy>> };

const countOf = (log: string, event: string): number => log.split(`"event":"${event}"`).length - 1;

/** Instances behind a proxy, on a PostgreSQL and a Redis of their own; every way between any two of them can be broken. */
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
  const log = () => [...gone, ...members].map(({ instance }) => instance.program.written.out).join('');

  return {
    running,
    postgres,
    redis,
    toPostgres,
    toRedis,
    members,
    origin: `http://127.0.0.1:${balancer.port}`,
    /** Everything that any of them has logged. */
    log,
    /** How often one of them took Redis to be away. */
    timesRedisAway: () => countOf(log(), 'redis_away'),
    hasRedis: () =>
      members.every(({ instance }) => {
        const { out } = instance.program.written;
        return countOf(out, 'redis_away') === countOf(out, 'redis_back');
      }),

    /** Ends one, and has another take its place. */
    async replace(member: Member, signal: 'SIGKILL' | 'SIGTERM') {
      const at = members.indexOf(member);
      member.instance.program.signal(signal);
      await member.instance.program.ended();
      const successor = await join(await running.start());
      members[at] = successor;
      gone.push(member);
      balancer.add(successor.way.port);
      await waitFor('the successor is in the turn', () => balancer.isReady(successor.way.port));
    },

    async stop() {
      await balancer.stop();
      await running.stop();
      for (const { way } of [...gone, ...members]) await way.stop();
      for (const way of [toPostgres, toRedis]) await way.stop();
      await redis.remove();
      await postgres.remove();
    },
  };
};

export type ChaosFleet = Awaited<ReturnType<typeof startChaosFleet>>;
