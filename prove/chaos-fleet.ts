import { createDistributed, readCitusNodes } from '../test/citus-database.ts';
import { type Instance, startInstances } from '../test/instances.ts';
import { createEmptyDatabase } from '../test/postgres-database.ts';
import { startCitus } from '../test/servers/citus.ts';
import { query } from '../test/servers/databases.ts';
import { startPgbouncer } from '../test/servers/pgbouncer.ts';
import { startPostgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { startRedis } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { startBalancer } from './fleet-balancer.ts';
import { portOf } from './fleet-load.ts';
import { allLogged, timesLogged } from './logged.ts';

type Member = { instance: Instance; way: Awaited<ReturnType<typeof startProxy>> };

export type Place = 'on PostgreSQL' | 'through PgBouncer' | 'on Citus';

const startPlain = async () => {
  const postgres = await startPostgres();
  return { postgres, createDatabase: () => createEmptyDatabase(postgres.url), remove: postgres.remove };
};

/** On Citus, the PostgreSQL faults are injected into the coordinator. */
const startOnCitus = async () => {
  const { coordinator, url, remove } = await startCitus();
  const nodes = await readCitusNodes(url);
  return { postgres: coordinator, createDatabase: () => createDistributed(nodes, 'chaos', 'production'), remove };
};

/** If there is a pooler, the proxy is between the pooler and PostgreSQL, so faults break the pooler's connections. */
const startServers = async (place: Place) => {
  const { remove, ...database } = await (place === 'on Citus' ? startOnCitus() : startPlain());
  const { postgres } = database;
  const redis = await startRedis();
  const [toPostgres, toRedis] = [await startProxy(postgres.port), await startProxy(redis.port)];
  const throughProxy = (url: string) => url.replace(`:${postgres.port}/`, `:${toPostgres.port}/`);
  const pooler = place === 'through PgBouncer' ? await startPgbouncer(throughProxy(postgres.url)) : undefined;
  return {
    ...database,
    ...{ redis, toPostgres, toRedis, pooler },
    databaseUrl: (url: string) => pooler?.through(url) ?? throughProxy(url),
    async stopServers() {
      for (const way of [toPostgres, toRedis]) await way.stop();
      await pooler?.remove();
      await redis.remove();
      await remove();
    },
  };
};

export const startChaosFleet = async (place: Place, count: number) => {
  const { createDatabase, databaseUrl, stopServers, ...servers } = await startServers(place);
  const running = await startInstances({
    count,
    server: servers.postgres.url,
    createDatabase,
    databaseUrl,
    environment: {
      REDIS_URL: `redis://127.0.0.1:${servers.toRedis.port}`,
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
    ...servers,
    members,
    origin: `http://127.0.0.1:${balancer.port}`,
    log: () =>
      everyone()
        .map(({ program }) => program.written.out)
        .join(''),
    /**
     * Reads the logs only after each instance has written all its lines. Otherwise, a recent outage could be missed.
     */
    async redisOutages() {
      await allLogged(members.map(({ instance }) => instance));
      const isOver = ({ instance }: Member) =>
        timesLogged(instance, 'redis_away') === timesLogged(instance, 'redis_back');
      const count = everyone().reduce((sum, instance) => sum + timesLogged(instance, 'redis_away'), 0);
      return { count, areOver: members.every(isOver) };
    },

    async replace(member: Member, signal: 'SIGKILL' | 'SIGTERM') {
      const at = members.indexOf(member);
      member.instance.program.signal(signal);
      await member.instance.program.ended();
      // Stops the old instance's proxy. Otherwise, it could forward requests to another process that now listens on the
      // same port.
      await member.way.stop();
      // Waits for the database, because a starting instance exits if it cannot connect. After an outage, PgBouncer
      // refuses connections for another second.
      const canConnect = () => query(databaseUrl(running.url), 'SELECT 1').then(Boolean, () => false);
      await waitFor('the database can be reached', canConnect);
      const successor = await join(await running.start());
      members[at] = successor;
      gone.push(member);
      balancer.add(successor.way.port);
      await waitFor('the successor receives requests', () => balancer.isReady(successor.way.port));
    },

    /**
     * Turns distributed tables into ordinary ones, because Citus does not support every statement that the checks use.
     * The instances are killed first, because their statements would block the conversion.
     */
    async undistribute() {
      if (place !== 'on Citus') return;
      for (const { instance } of members) {
        instance.program.signal('SIGKILL');
        await instance.program.ended();
      }
      await query(running.url, "SELECT undistribute_table(logicalrelid) FROM pg_dist_partition WHERE partmethod = 'h'");
    },

    async stop() {
      await balancer.stop();
      await running.stop();
      for (const { way } of members) await way.stop();
      await stopServers();
    },
  };
};

export type ChaosFleet = Awaited<ReturnType<typeof startChaosFleet>>;
