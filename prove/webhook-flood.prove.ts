import { afterEach, describe, expect } from 'bun:test';
import { startInstances } from '../test/instances.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { waitFor } from '../test/wait-for.ts';
import { startWebhookBench } from '../test/webhook-bench.ts';
import { type Arrived, startReceiver } from '../test/webhook-receiver.ts';
import { LONG, proof } from './proof.ts';

const PER_SECOND = 20;
const WEBHOOKS = 100;
const REQUESTS = 30;
const LATE = 10;
const SPREAD = { webhooks: 30, pets: LONG ? 9 : 5 };
const NEIGHBOUR_MS = 1000;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const range = (length: number) => Array.from({ length }, (_, index) => index);

/**
 * Counts how many deliveries since the start exceed the allowed rate. A separate count for each second would be wrong
 * if a busy machine delayed a delivery into the next second.
 */
const countBeyond = (arrived: readonly Arrived[], startedAt: number): number =>
  arrived
    .map(({ atMs }) => atMs)
    .sort((a, b) => a - b)
    .filter((atMs, index) => index >= PER_SECOND * (Math.floor((atMs - startedAt) / 1000) + 1)).length;

const maxInASecond = (arrived: readonly Arrived[]): number => {
  const times = arrived.map(({ atMs }) => atMs);
  return Math.max(...times.map((from) => times.filter((atMs) => atMs >= from && atMs < from + 1000).length));
};

proof(
  `${WEBHOOKS} webhooks to one target and ${REQUESTS} changes: the target gets at most ${PER_SECOND} requests a second, and no other endpoint is delayed`,
  async ({ figure, time }) => {
    const bench = await startWebhookBench();
    stops.push(() => bench.stop());
    const { receiver, service } = bench;
    const scopes = ['pets:read', 'pets:write', 'webhooks:write'];
    const [crowded, next] = [
      await service.issueKey({ storeId: 73, scopes }),
      await service.issueKey({ storeId: 74, scopes }),
    ];
    for (const index of range(WEBHOOKS)) {
      const { status } = await service.post(
        '/v1/webhooks',
        { url: receiver.sharedUrl(`/target-${index}`) },
        { key: crowded },
      );
      expect(status).toBe(201);
    }
    const operator = await service.issueKey({ storeId: 73, scopes: [...scopes, 'keys:write'] });
    const [beside, elsewhere] = [await bench.add({}, operator), await bench.add({}, next)];
    const target = () => receiver.arrived.filter(({ path }) => path.startsWith('/target'));

    const startedAt = performance.now();
    const sentAt = new Map<number, number>();
    const create = async (key: string) => {
      const at = performance.now();
      sentAt.set(await bench.createPet('Rex', key), at);
    };
    for (let count = 0; count < REQUESTS - LATE; count += 1) await create(crowded);
    await waitFor('the queue is long', () => target().length >= 2 * PER_SECOND);
    for (let count = 0; count < LATE; count += 1) {
      await create(crowded);
      await create(next);
    }
    const neighbours = [
      { words: 'same store', path: beside.path, events: REQUESTS },
      { words: 'another store', path: elsewhere.path, events: LATE },
    ];
    await waitFor('neighbours have all their events, and the target has received for some seconds', () =>
      [
        target().length >= 4 * PER_SECOND,
        ...neighbours.map(({ path, events }) => receiver.at(path).length >= events),
      ].every(Boolean),
    );

    const seen = target();
    figure(`${seen.length} of ${WEBHOOKS * REQUESTS} sent, ${maxInASecond(seen)} in the busiest second`);
    expect(countBeyond(seen, startedAt)).toBe(0);
    for (const { words, path } of neighbours) {
      const delays = receiver
        .at(path)
        .slice(-LATE)
        .map(({ petId, atMs }) => atMs - (sentAt.get(petId) ?? 0));
      time(`slowest of ${LATE} deliveries to a neighbour, ${words}:`, Math.max(...delays), NEIGHBOUR_MS);
    }
  },
);

describe.skipIf(!POSTGRES_SERVER)('on PostgreSQL', () => {
  proof(`three instances together send one target at most ${PER_SECOND} requests a second`, async ({ figure }) => {
    const receiver = startReceiver();
    stops.push(() => receiver.down());
    const running = await startInstances({ count: 3, environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' } });
    stops.push(() => running.stop());
    const [first] = running.instances;
    for (const index of range(SPREAD.webhooks)) {
      const body = { url: receiver.sharedUrl(`/target-${index}`), events: ['pet.created'] };
      expect((await first?.call('POST', '/v1/webhooks', { body }))?.status).toBe(201);
    }
    const startedAt = performance.now();
    const body = { name: 'Rex', categoryId: 1 };
    const created = await Promise.all(
      range(SPREAD.pets).map((count) => running.instances[count % 3]?.call('POST', '/v1/pets', { body })),
    );
    expect(created.map((response) => response?.status)).toEqual(created.map(() => 201));
    const due = SPREAD.webhooks * SPREAD.pets;
    const arrived = () => new Set(receiver.arrived.map(({ path, id }) => `${path} ${id}`)).size;
    await waitFor('all arrive', () => arrived() >= due);
    const tookS = ((performance.now() - startedAt) / 1000).toFixed(1);
    figure(
      `${due} deliveries in ${tookS} s, ${receiver.arrived.length} attempts, ${maxInASecond(receiver.arrived)} in the busiest second`,
    );
    expect(countBeyond(receiver.arrived, startedAt)).toBe(0);
    expect(arrived()).toBe(due);
  });
});
