import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { query } from '../test/servers/databases.ts';
import { startRedis } from '../test/servers/redis.ts';
import { askTogether, countWords, type Message, portOf, requestText, statusOf } from './fleet-load.ts';
import { LONG, proof } from './proof.ts';

const ORDERS = 10_000;
const PETS = 100;
const RETRIED_TOGETHER = 500;

const isShed = (answer: Message): boolean => statusOf(answer) === 503 && /\r\nretry-after: \d/i.test(answer.head);

describe.skipIf(!POSTGRES_SERVER || lacks('Redis'))('several instances', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let running: Instances;
  beforeAll(async () => {
    redis = await startRedis();
    running = await startInstances({ count: 4, environment: { REDIS_URL: redis.url } });
  });
  afterAll(async () => {
    await running?.stop();
    await redis?.remove();
  });

  const insist = async (ports: readonly number[], requests: readonly string[], first: readonly Message[]) => {
    const answers = first.filter((answer) => !isShed(answer));
    let again = requests.filter((_, at) => isShed(first[at] as Message));
    while (again.length > 0) {
      const next = again.splice(0, RETRIED_TOGETHER);
      const seen = await askTogether(ports, next);
      answers.push(...seen.filter((answer) => !isShed(answer)));
      again = [...again, ...next.filter((_, at) => isShed(seen[at] as Message))];
    }
    return answers;
  };

  for (const count of LONG ? [3, 4] : [3]) {
    proof(
      `${count} instances under ${ORDERS} simultaneous orders sell each of ${PETS} pets once`,
      async ({ figure }) => {
        const ports = running.instances.slice(0, count).map(portOf);
        const pet = requestText('POST', '/v1/pets', { key: ADMIN_KEY, body: { name: 'One of a kind', categoryId: 1 } });
        const pets = Array<string>(PETS).fill(pet);
        const created = await insist(ports, pets, await askTogether(ports, pets));
        const petIds = created.map(({ body }) => JSON.parse(body).id);
        const orders = Array.from({ length: ORDERS }, (_, at) =>
          requestText('POST', '/v1/store/orders', { key: ADMIN_KEY, body: { petId: petIds[at % PETS] } }),
        );
        const first = await askTogether(ports, orders);
        const answers = await insist(ports, orders, first);
        const sold = answers.filter((answer) => statusOf(answer) === 201).map(({ body }) => JSON.parse(body));
        figure(`${sold.length} orders placed, ${first.filter(isShed).length} shed at first and retried`);
        expect(countWords(answers)).toEqual({ 201: PETS, pet_not_available: ORDERS - PETS });

        expect(new Set(sold.map(({ petId }) => petId)).size).toBe(PETS);
        const rows = await query(
          running.url,
          `SELECT o.id::int, o.pet_id::int, p.status FROM orders o JOIN pets p ON p.held_by_order_id = o.id
         WHERE o.pet_id = ANY($1) ORDER BY o.id`,
          [petIds],
        );
        const seen = sold.map(({ id, petId }) => ({ id, pet_id: petId, status: 'pending' }));
        expect(rows).toEqual(seen.sort((one, other) => one.id - other.id));
        const placed = 'SELECT count(*)::int FROM orders WHERE pet_id = ANY($1)';
        expect(await query(running.url, placed, [petIds])).toEqual([{ count: PETS }]);
      },
    );
  }
});
