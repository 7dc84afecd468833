import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { onEveryEngine, type TestDatabase } from '../../../test/database.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import { SAMPLES } from './seed-store.ts';

const STORE = 7n;
const DAY_MS = 86_400_000;
const PAGE = { limit: 1000, order: 'asc' } as const;

describe('the history of a demo', () => {
  onEveryEngine((open) => {
    let opened: TestDatabase;
    beforeEach(async () => {
      opened = await open({ environment: 'staging' });
      await opened.database.write(SYSTEM_CALL, async ({ stores, seedHistory }) => {
        await stores.open(STORE);
        await seedHistory(STORE, 'key_1');
      });
    });
    afterEach(() => opened.close());

    const read = () => opened.database.read(STORE);

    test('ends with the sample pets, and with their orders', async () => {
      const pets = await read().pets.list({}, PAGE);
      expect(pets.map(({ name, categoryId, status }) => ({ name, categoryId, status }))).toEqual(
        SAMPLES.map(({ name, categoryId, status }) => ({ name, categoryId, status })),
      );
      expect(await read().pets.inventory()).toEqual({ available: 36n, pending: 12n, sold: 12n });
      const orderOf = { available: [undefined, 'cancelled'], pending: ['approved'], sold: ['delivered'] };
      for (const { status, order } of SAMPLES) expect(orderOf[status]).toContain(order as string);
      const orders = await read().orders.list({}, PAGE);
      const ends = orders
        .toSorted((one, other) => (one.petId < other.petId ? -1 : 1))
        .map(({ petId, status }) => [petId, status]);
      expect(ends).toEqual(
        SAMPLES.flatMap(({ order }, index) => (order ? [[pets[index]?.id, order]] : [])) as typeof ends,
      );
      for (const { placedByKeyId, expiresAt } of orders) expect([placedByKeyId, expiresAt]).toEqual(['key_1', null]);
      const held = pets.filter(({ heldByOrderId }) => heldByOrderId !== null).map(({ id }) => id);
      expect(held).toEqual(ends.filter(([, status]) => status === 'approved').map(([petId]) => petId as bigint));
    });

    test('happened in the last two weeks, in order, with a key as the actor', async () => {
      const now = opened.clock();
      const events = await read().events.list({ withOperators: true }, PAGE);
      const times = events.map(({ occurredAt }) => occurredAt);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times[0]).toBe(now - 14 * DAY_MS);
      expect(times.at(-1)).toBeLessThan(now);
      expect(new Set(events.map(({ actorKeyId }) => actorKeyId))).toEqual(new Set(['key_1']));
      for (const { placedAt, updatedAt } of await read().orders.list({}, PAGE)) {
        expect(placedAt).toBeLessThan(updatedAt);
        expect(updatedAt).toBeLessThan(now);
      }
    });

    test('has new pets in the last two weeks', async () => {
      const now = opened.clock();
      const from = now - (now % DAY_MS) - 13 * DAY_MS;
      const created = await read().events.list({ type: 'pet.created', withOperators: true }, PAGE);
      const added = created.filter(({ occurredAt }) => occurredAt >= from);
      expect(added).toHaveLength(10);
      expect(new Set(added.map(({ occurredAt }) => Math.floor(occurredAt / DAY_MS))).size).toBe(8);
    });

    test('has a sale on most days, and the events of each sale', async () => {
      const now = opened.clock();
      const counts = await read().events.counts({ period: 'day', from: now - 14 * DAY_MS, to: now });
      const sold = counts.filter(({ kind }) => kind === 'sold');
      expect(sold.reduce((sum, { count }) => sum + count, 0)).toBe(12);
      expect(sold.length).toBe(8);
      const delivered = (await read().orders.list({ status: 'delivered' }, PAGE))[0];
      const story = await read().events.list({ petId: delivered?.petId, withOperators: true }, PAGE);
      expect(story.map(({ type }) => type)).toEqual([
        'pet.created',
        'order.placed',
        'pet.status_changed',
        'order.approved',
        'order.delivered',
        'pet.status_changed',
      ]);
    });
  });
});
