import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestPostgres, type TestDatabase } from '../../test/database.ts';
import { POSTGRES_SERVER } from '../../test/postgres-database.ts';
import { insertWebhookKey, WEBHOOK_KEY } from '../../test/webhook-key.ts';
import type { Repositories } from '../compose/repositories.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { EventReads } from '../resources/events/events.repository.ts';
import type { Webhook } from '../resources/webhooks/webhook.ts';

const WRITERS = 20;
const EACH = 25;

const someTurns = async (): Promise<void> => {
  for (let left = Math.random() * 50; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
};

describe.skipIf(!POSTGRES_SERVER)('events that get their sequence after the commit', () => {
  let data: TestDatabase;
  beforeAll(async () => {
    data = await openTestPostgres();
    await data.database.write(SYSTEM_CALL, async ({ stores }) => {
      await stores.open(1n);
      await stores.open(2n);
    });
  });
  afterAll(() => data.close());

  const append = (object: object, storeId = 1n, hold: Promise<void> = Promise.resolve()) =>
    data.database.write({ ...SYSTEM_CALL, storeId }, async ({ events }) => {
      await events.append({ type: 'pet.created', object });
      await hold;
    });
  const eventsOf = (storeId = 1n, after = 0n) =>
    data.database.read(storeId).events.list({ withOperators: true }, { limit: 1000, order: 'asc', after });

  test('are visible to every read after the commit', async () => {
    await append({ id: 1 });
    expect((await eventsOf()).map(({ sequence }) => sequence)).toEqual([1n]);
  });

  type Read = (events: EventReads) => Promise<{ sequence: bigint } | undefined>;
  const page = { limit: 9, order: 'desc' } as const;
  test.each<[string, bigint, Read]>([
    ['as the last event', 6n, async (events) => ({ sequence: (await events.range()).last })],
    [
      'in the counts',
      9n,
      async (events) =>
        (await events.counts({ period: 'day', from: 0, to: Date.now() * 2 })).map(({ count }) => ({
          sequence: BigInt(count),
        }))[0],
    ],
    ['in the history of a pet', 7n, async (events) => (await events.listOfPet(7n, page))[0]],
    [
      'in the audit trail',
      8n,
      async (events) => (await events.listAudited(page)).find(({ storeId }) => storeId === 8n),
    ],
  ])('are visible immediately %s', async (_, storeId, read) => {
    await data.database.write(SYSTEM_CALL, ({ stores }) => stores.open(storeId));
    await data.database.write({ ...SYSTEM_CALL, storeId }, async ({ events }) =>
      events.append({ type: storeId === 8n ? 'webhook.created' : 'pet.created', object: {}, petId: 7n }),
    );
    expect((await read(data.database.read(storeId).events))?.sequence).toBe(1n);
  });

  test('are counted before they have one, in their own store only', async () => {
    await data.database.write(SYSTEM_CALL, async ({ stores }) => {
      for (const storeId of [10n, 11n]) await stores.open(storeId);
    });
    const counted = data.database.write({ ...SYSTEM_CALL, storeId: 10n }, async ({ events }) => {
      for (const storeId of [10n, 11n]) await events.append({ type: 'pet.created', object: {}, storeId });
      return events.count();
    });
    expect(await counted).toBe(1);
  });

  test('are delivered to a webhook by its event types at the time of the event', async () => {
    const storeId = 9n;
    const webhook: Webhook = {
      ...{ id: 'wh_one', url: 'https://example.org/', events: ['pet.created'], enabled: true, disabledReason: null },
      ...{ createdAt: 0, keyId: WEBHOOK_KEY.id, isOperators: false },
    };
    const write = <Result>(body: (repositories: Repositories) => Promise<Result>) =>
      data.database.write({ ...SYSTEM_CALL, storeId }, body);
    const countDeliveries = async (id: string) =>
      (await data.database.read(storeId).webhooks.listDeliveries(id, page)).length;
    await write(insertWebhookKey);
    await write(({ stores }) => stores.open(storeId));
    await append({ id: 'before' }, storeId);
    await write(async ({ webhooks }) => {
      await webhooks.lockCount(false);
      await webhooks.insert(webhook, 'whsec_one');
    });
    await append({ id: 'asked for' }, storeId);
    await write(({ webhooks }) => webhooks.update({ ...webhook, events: ['pet.deleted'] }));
    await append({ id: 'not any more' }, storeId);
    await eventsOf(storeId);
    expect(await countDeliveries('wh_one')).toBe(1);
    await write(async ({ webhooks, events }) =>
      webhooks.sendTest('wh_one', await events.append({ type: 'webhook.test', object: {} })),
    );
    expect(await countDeliveries('wh_one')).toBe(2);
  });

  test('get their sequences once, however many readers request them together', async () => {
    const storeId = 3n;
    await data.database.write(SYSTEM_CALL, ({ stores }) => stores.open(storeId));
    for (let round = 1; round <= 5; round += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, id) => append({ id }, storeId)));
      const lists = await Promise.all(Array.from({ length: 40 }, () => eventsOf(storeId)));
      const all = Array.from({ length: round * 10 }, (_, index) => BigInt(index + 1));
      for (const events of lists) expect(events.map(({ sequence }) => sequence)).toEqual(all);
    }
  });

  test('are visible with their sequences to the transaction that wrote them, and to no other', async () => {
    const storeId = 4n;
    await data.database.write(SYSTEM_CALL, ({ stores }) => stores.open(storeId));
    await data.database.write({ ...SYSTEM_CALL, storeId }, async ({ events }) => {
      await events.append({ type: 'pet.created', object: {} });
      const own = await events.list({ withOperators: true }, { limit: 10, order: 'asc' });
      expect(own.map(({ sequence }) => sequence)).toEqual([1n]);
      expect(await eventsOf(storeId)).toEqual([]);
    });
    expect(await eventsOf(storeId)).toHaveLength(1);
  });

  test('do not wait for a transaction that began earlier, whose events then come after them', async () => {
    const held = Promise.withResolvers<void>();
    const slow = append({ id: 'slow' }, 2n, held.promise);
    await append({ id: 'fast' }, 2n);
    expect((await eventsOf(2n)).map(({ sequence }) => sequence)).toEqual([1n]);
    held.resolve();
    await slow;
    const events = await eventsOf(2n);
    expect(events.map(({ sequence, data: text }) => [sequence, JSON.parse(text).object.id])).toEqual([
      [1n, 'fast'],
      [2n, 'slow'],
    ]);
  });

  test('get their sequences even if all write connections are in use', async () => {
    const storeId = 5n;
    await data.database.write(SYSTEM_CALL, ({ stores }) => stores.open(storeId));
    await append({ id: 'committed' }, storeId);
    const held = Promise.withResolvers<void>();
    const writers = Array.from({ length: 12 }, (_, id) => append({ id }, storeId, held.promise));
    try {
      expect((await eventsOf(storeId)).map(({ sequence }) => sequence)).toEqual([1n]);
    } finally {
      held.resolve();
      await Promise.all(writers);
    }
    expect(await eventsOf(storeId)).toHaveLength(13);
  });

  test('never appear below a sequence that a reader has seen, and leave no gap, however many writers there are', async () => {
    const { last: before } = await data.database.read(1n).events.range();
    let isWriting = true;
    const seen: bigint[] = [];
    const follow = async () => {
      for (let isOver = false; !isOver; ) {
        const wasWriting = isWriting;
        const next = await eventsOf(1n, seen.at(-1) ?? before);
        seen.push(...next.map(({ sequence }) => sequence));
        isOver = !wasWriting && next.length === 0;
      }
    };
    const write = async (writer: number) => {
      for (let count = 0; count < EACH; count += 1) {
        await append({ writer, count }, 1n, someTurns());
      }
    };
    const readers = [follow()];
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    isWriting = false;
    await Promise.all(readers);
    expect(seen).toEqual(Array.from({ length: WRITERS * EACH }, (_, index) => before + BigInt(index + 1)));

    const all = await eventsOf(1n, before);
    for (let writer = 0; writer < WRITERS; writer += 1) {
      const own = all.map(({ data: text }) => JSON.parse(text).object).filter((object) => object.writer === writer);
      expect(own.map(({ count }) => count)).toEqual(Array.from({ length: EACH }, (_, count) => count));
    }
  });
});
