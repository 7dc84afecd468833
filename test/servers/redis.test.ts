import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { lacks } from '../needs.ts';
import { waitFor } from '../wait-for.ts';
import { startRedis, startRedisCluster } from './redis.ts';

const started: { remove: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const server of started) await server.remove();
});

const keep = <Server extends { remove: () => Promise<void> }>(server: Server): Server => {
  started.push(server);
  return server;
};

describe.skipIf(lacks('Redis'))('a private Redis server', () => {
  test('loses everything when it is killed, and restarts on its port', async () => {
    const redis = keep(await startRedis());
    expect(await redis.command('SET', 'a', '1')).toBe('OK');
    await redis.kill();
    await expect(redis.command('PING')).rejects.toThrow('refused');
    await redis.restart();
    expect(await redis.command('EXISTS', 'a')).toBe('0');
  });

  test('keeps its data over a clean restart with appendOnly, and leaves no files when removed', async () => {
    const redis = keep(await startRedis({ appendOnly: true }));
    await redis.command('SET', 'a', '1');
    await redis.restart();
    expect(await redis.command('GET', 'a')).toBe('1');
    await redis.remove();
    expect(existsSync(redis.directory)).toBe(false);
  });
});

describe.skipIf(lacks('Redis'))('a private Redis Cluster', () => {
  test('has three masters that share the slots', async () => {
    const cluster = keep(await startRedisCluster());
    expect(cluster.url.split(',')).toHaveLength(3);
    const [first] = cluster.masters;
    const info = await first?.command('CLUSTER', 'INFO');
    expect(info).toContain('cluster_slots_ok:16384');
    expect(info).toContain('cluster_size:3');
  });

  test('promotes the replica of a killed master', async () => {
    type Cluster = Awaited<ReturnType<typeof startRedisCluster>>;
    const mastersAmong = async ({ replicas }: Cluster) =>
      (await Promise.all(replicas.map((replica) => replica.command('ROLE')))).filter((text) =>
        text.startsWith('master'),
      ).length;
    // On an overloaded machine, a master may stall for a second, in which case its replica takes over. The test needs a
    // cluster in which this has not happened.
    const cluster = await waitFor('a cluster still has its original masters', async () => {
      const started = keep(await startRedisCluster({ replicas: true }));
      return (await mastersAmong(started)) === 0 ? started : undefined;
    });
    await cluster.killMaster(0);
    await waitFor('a replica is master', async () => (await mastersAmong(cluster)) > 0);
    const [, second] = cluster.masters;
    await waitFor('the cluster state is ok', async () =>
      (await second?.command('CLUSTER', 'INFO'))?.includes('cluster_state:ok'),
    );
  });
});
