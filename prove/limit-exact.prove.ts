import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { query } from '../test/servers/databases.ts';
import { startRedis, startRedisCluster } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { askTogether, countWords, portOf, requestText, statusOf } from './fleet-load.ts';
import { proof } from './proof.ts';

const REQUESTS = 5000;
const BANNED_MS = 1000;

/** Instances that have served before: what they do for the first time takes many times as long. */
const warmUp = (ports: readonly number[]) =>
  askTogether(ports, Array(200 * ports.length).fill(requestText('GET', '/v1/pets?limit=1', { key: ADMIN_KEY })));

const PLACES = [
  ['one Redis', startRedis],
  ['a Redis Cluster of three', startRedisCluster],
] as const;

describe.skipIf(!POSTGRES_SERVER || lacks('Redis')).each(PLACES)('four instances on %s', (place, startPlace) => {
  let redis: Awaited<ReturnType<typeof startPlace>>;
  let running: Instances;
  let ports: number[];
  beforeAll(async () => {
    redis = await startPlace();
    running = await startInstances({ count: 4, environment: { REDIS_URL: redis.url } });
    ports = running.instances.map(portOf);
    await warmUp(ports);
  });
  afterAll(async () => {
    await running?.stop();
    await redis?.remove();
  });

  /** The day holds the limit too: a minute may end while a slow machine is still at it. */
  const limitedKey = (limit: number) =>
    running.issueKey({ plan: 'enterprise', limits: { perMinute: limit, perDay: limit } });
  const ask = (key: string, count: number) =>
    askTogether(ports, Array(count).fill(requestText('GET', '/v1/pets?limit=1', { key })));
  const bansOf = (keyId: string) => query(running.url, 'SELECT * FROM bans WHERE subject = $1', [keyId]);

  /** What a busy machine sheds before it is counted shows no limit; what it sheds after that was admitted all the same. */
  const rush = async (key: string, limit: number) => {
    const answers = await ask(key, REQUESTS);
    const shows = new RegExp(`\\r\\nx-ratelimit-limit: ${limit}\\r`, 'i');
    const refused = answers.filter((answer) => statusOf(answer) === 429).length;
    const admitted = answers.filter((answer) => statusOf(answer) !== 429 && shows.test(answer.head)).length;
    return { refused, admitted, shed: REQUESTS - refused - admitted, words: countWords(answers) };
  };

  proof(
    `four instances on ${place} admit exactly the limit of ${REQUESTS} requests at once, and ban the key once`,
    async ({ figure }) => {
      const { id, key } = await limitedKey(1000);
      const { admitted, refused, shed, words } = await rush(key, 1000);
      figure(`${admitted} of ${Math.min(1000, REQUESTS - shed)} admitted, ${refused} refused, ${shed} shed`);
      expect({ words, admitted }).toEqual({ words, admitted: Math.min(1000, REQUESTS - shed) });
      // So many refusals are a ban.
      if (refused >= 1000)
        await waitFor(
          'the ban is a row',
          () => bansOf(id),
          (bans) => bans.length > 0,
        );
      expect(await bansOf(id)).toHaveLength(refused >= 1000 ? 1 : 0);
    },
  );

  proof(
    `four instances on ${place} admit exactly the limit of ${REQUESTS} requests at once where no ban is due`,
    async ({ figure }) => {
      const { id, key } = await limitedKey(3000);
      const { admitted, refused, shed, words } = await rush(key, 3000);
      figure(`${admitted} of ${Math.min(3000, REQUESTS - shed)} admitted, ${refused} refused, ${shed} shed`);
      expect({ words, admitted }).toEqual({ words, admitted: Math.min(3000, REQUESTS - shed) });
      expect(await bansOf(id)).toEqual([]);
    },
  );

  proof(`four instances on ${place} count what each refuses from memory toward one ban`, async ({ figure, time }) => {
    const { id, key } = await limitedKey(40);
    const told = { admitted: 0, refused: 0 };
    // Each hears that the window is spent, and refuses by itself from then on. What was shed is asked for again.
    while (told.refused < 40) {
      const statuses = (await ask(key, 20)).map(statusOf);
      told.admitted += statuses.filter((status) => status === 200).length;
      told.refused += statuses.filter((status) => status === 429).length;
    }
    figure(`${told.admitted} of 40 admitted, ${told.refused} refused`);
    expect(told.admitted).toBe(40);
    const began = performance.now();
    await waitFor(
      'the ban is a row',
      () => bansOf(id),
      (bans) => bans.length > 0,
    );
    time('banned after', performance.now() - began, BANNED_MS);
    await waitFor('every instance says so', async () => countWords(await ask(key, 4)).api_key_banned === 4);
    time('everywhere after', performance.now() - began, 2 * BANNED_MS);
    expect(await bansOf(id)).toHaveLength(1);
  });
});
