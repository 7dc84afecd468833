import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { lacks } from '../../../test/needs.ts';
import { type Redis, startRedis, startRedisCluster } from '../../../test/servers/redis.ts';
import { waitFor } from '../../../test/wait-for.ts';
import { parseRedisUrl, type RedisAddress } from './address.ts';
import { connectWakeUps } from './wake-ups.redis.ts';

describe.skipIf(lacks('Redis'))('wake-ups', () => {
  let redis: Redis;
  let opened: ReturnType<typeof connectWakeUps>[];
  beforeEach(async () => {
    redis = await startRedis();
    opened = [];
  });
  afterEach(async () => {
    for (const one of opened) one.close();
    await redis.remove();
  });

  const connect = (url = redis.url) => {
    const woken: bigint[] = [];
    const wakeUps = connectWakeUps(parseRedisUrl(url) as RedisAddress, (storeId) => woken.push(storeId));
    opened.push(wakeUps);
    return { ...wakeUps, woken };
  };
  type Connected = ReturnType<typeof connect>;
  /** Messages can get lost, so this function calls `add` repeatedly until a message about the store arrives. */
  const arrives = (from: Connected, to: Connected, storeId: bigint) =>
    waitFor(`store ${storeId} is woken`, () => {
      from.add(storeId);
      return to.woken.includes(storeId);
    });

  test('reach the other instances', async () => {
    const [one, other] = [connect(), connect()];
    await arrives(one, other, 1n);
    await arrives(other, one, 2n);
  });

  test('of several stores share a message', async () => {
    const [one, other] = [connect(), connect()];
    await arrives(one, other, 1n);
    const published = async () =>
      Number(/cmdstat_publish:calls=(\d+)/.exec(await redis.command('INFO', 'commandstats'))?.[1]);
    const before = await published();
    for (let storeId = 100n; storeId < 200n; storeId += 1n) one.add(storeId);
    await waitFor('all stores are woken', () => other.woken.includes(199n));
    expect(other.woken.filter((storeId) => storeId >= 100n)).toEqual(
      Array.from({ length: 100 }, (_, index) => 100n + BigInt(index)),
    );
    expect((await published()) - before).toBeLessThanOrEqual(3);
  });

  test('continue after Redis was down, even at the start', async () => {
    await redis.kill();
    const [one, other] = [connect(), connect()];
    one.add(1n);
    await redis.restart();
    await arrives(one, other, 2n);
    await redis.kill();
    one.add(3n);
    await redis.restart();
    await arrives(one, other, 4n);
  });

  test('ignore messages of other programs', async () => {
    const one = connect();
    await waitFor('a message arrives', async () => {
      await redis.command('PUBLISH', 'petstore:deliveries', 'x,-1,1 2,,99999999999999999999,7');
      return one.woken.length > 0;
    });
    expect([...new Set(one.woken)]).toEqual([7n]);
  });

  test('pass through a cluster', async () => {
    const cluster = await startRedisCluster();
    try {
      const [one, other] = [connect(cluster.url), connect(cluster.url)];
      await arrives(one, other, 1n);
    } finally {
      for (const each of opened) each.close();
      await cluster.remove();
    }
  });
});
