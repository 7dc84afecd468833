import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ADMIN_KEY } from '../admin-key.ts';
import { type Instances, startInstances } from '../instances.ts';
import { lacks } from '../needs.ts';
import { POSTGRES_SERVER } from '../postgres-database.ts';
import { until } from '../program.ts';
import { query } from '../servers/databases.ts';
import { startRedis, startRedisCluster } from '../servers/redis.ts';
import { askTogether, countWords, type Message, portOf, requestText, statusOf } from './fleet-load.ts';

const REQUESTS = 5000;
const ORDERS = 10_000;
const ANIMALS = 100;
const RETRIED_AT_ONCE = 500;

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
  }, 60_000);
  afterAll(async () => {
    await running?.stop();
    await redis?.remove();
  });

  const limitedKey = (perMinute: number) =>
    running.issueKey({ plan: 'enterprise', limits: { perMinute, perDay: 1_000_000 } });
  const bansOf = (keyId: string) => query(running.url, 'SELECT * FROM bans WHERE subject = $1', [keyId]);

  /** So many are admitted, and these are the answers. What a busy machine sheds after that was admitted all the same. */
  const rush = async (key: string, limit: number) => {
    const began = performance.now();
    const answers = await askTogether(ports, Array(REQUESTS).fill(requestText('GET', '/v1/pets?limit=1', { key })));
    const tookMs = Math.round(performance.now() - began);
    const shows = new RegExp(`\\r\\nx-ratelimit-limit: ${limit}\\r`, 'i');
    const admitted = answers.filter((answer) => statusOf(answer) !== 429 && shows.test(answer.head)).length;
    const words = countWords(answers);
    console.log(JSON.stringify({ test: 'exact limit', place, instances: 4, limit, admitted, tookMs, words }));
    return { admitted, words };
  };

  test(`admit exactly the limit of ${REQUESTS} requests at once, and ban the key once`, async () => {
    const { id, key } = await limitedKey(1000);
    const { admitted, words } = await rush(key, 1000);
    expect(admitted).toBe(1000);
    expect((words.rate_limit_exceeded ?? 0) + (words.api_key_banned ?? 0)).toBe(REQUESTS - 1000);
    await until('the ban is a row', async () => (await bansOf(id)).length > 0 || undefined, 1000);
    expect(await bansOf(id)).toHaveLength(1);
  }, 30_000);

  test(`admit exactly the limit of ${REQUESTS} requests at once where no ban is due`, async () => {
    const { id, key } = await limitedKey(3000);
    const { admitted, words } = await rush(key, 3000);
    expect([admitted, words.rate_limit_exceeded]).toEqual([3000, REQUESTS - 3000]);
    expect(await bansOf(id)).toEqual([]);
  }, 30_000);

  test('count what each refuses from memory toward one ban within a second', async () => {
    const { id, key } = await limitedKey(40);
    const ask = (count: number) =>
      askTogether(ports, Array(count).fill(requestText('GET', '/v1/pets?limit=1', { key })));
    expect(countWords(await ask(40))).toEqual({ 200: 40 });
    // Each hears that the window is spent; from now on it refuses by itself.
    const refused = [...(await ask(20)), ...(await ask(20))];
    const began = performance.now();
    await until('the ban is a row', async () => (await bansOf(id)).length > 0 || undefined, 1000);
    const bannedMs = Math.round(performance.now() - began);
    const isBannedEverywhere = async () => countWords(await ask(4)).api_key_banned === 4 || undefined;
    await until('every instance says so', isBannedEverywhere, 1000);
    const everywhereMs = Math.round(performance.now() - began);
    console.log(
      JSON.stringify({ test: 'ban by refusals', place, refused: countWords(refused), bannedMs, everywhereMs }),
    );
    expect(await bansOf(id)).toHaveLength(1);
  });
});

/** Refused with word of when to come again. */
const isShed = (answer: Message): boolean => statusOf(answer) === 503 && /\r\nretry-after: \d/i.test(answer.head);

describe.skipIf(!POSTGRES_SERVER || lacks('Redis'))('several instances', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let running: Instances;
  beforeAll(async () => {
    redis = await startRedis();
    running = await startInstances({ count: 4, environment: { REDIS_URL: redis.url } });
  }, 30_000);
  afterAll(async () => {
    await running?.stop();
    await redis?.remove();
  });

  test.each([3, 4])(
    `sell each of ${ANIMALS} animals once, %d of them under ${ORDERS} orders at once`,
    async (count) => {
      const ports = running.instances.slice(0, count).map(portOf);
      const pet = requestText('POST', '/v1/pets', { key: ADMIN_KEY, body: { name: 'One of a kind', categoryId: 1 } });
      const animals = (await askTogether(ports, Array(ANIMALS).fill(pet))).map(({ body }) => JSON.parse(body).id);
      const orders = Array.from({ length: ORDERS }, (_, at) =>
        requestText('POST', '/v1/store/orders', { key: ADMIN_KEY, body: { petId: animals[at % ANIMALS] } }),
      );
      const began = performance.now();
      const first = await askTogether(ports, orders);
      const tookMs = Math.round(performance.now() - began);

      // What a machine cannot serve in good time is shed; callers come again, fewer at once.
      const answers = first.filter((answer) => !isShed(answer));
      let again = orders.filter((_, at) => isShed(first[at] as Message));
      const shed = again.length;
      while (again.length > 0) {
        const next = again.splice(0, RETRIED_AT_ONCE);
        const told = await askTogether(ports, next);
        answers.push(...told.filter((answer) => !isShed(answer)));
        again = [...again, ...next.filter((_, at) => isShed(told[at] as Message))];
      }
      const words = countWords(answers);
      console.log(JSON.stringify({ test: 'one of a kind', instances: count, tookMs, shed, words }));
      expect(words).toEqual({ 201: ANIMALS, pet_not_available: ORDERS - ANIMALS });

      const sold = answers.filter((answer) => statusOf(answer) === 201).map(({ body }) => JSON.parse(body));
      expect(new Set(sold.map(({ petId }) => petId)).size).toBe(ANIMALS);
      const rows = await query(
        running.url,
        `SELECT o.id::int, o.pet_id::int, p.status FROM orders o JOIN pets p ON p.held_by_order_id = o.id
       WHERE o.pet_id = ANY($1) ORDER BY o.id`,
        [animals],
      );
      const told = sold.map(({ id, petId }) => ({ id, pet_id: petId, status: 'pending' }));
      expect(rows).toEqual(told.sort((one, other) => one.id - other.id));
      const placed = 'SELECT count(*)::int FROM orders WHERE pet_id = ANY($1)';
      expect(await query(running.url, placed, [animals])).toEqual([{ count: ANIMALS }]);
    },
    120_000,
  );
});
