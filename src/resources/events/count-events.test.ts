import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

let service: Service;
let shop: Shop;
let start: number;
beforeEach(async () => {
  service = await startService();
  shop = createShop(service);
  start = service.clock();
});
afterEach(() => service.stop());

const iso = (at: number): string => new Date(at).toISOString();
const count = async (query: string, key?: string) =>
  (await service.get(`/v1/events/counts?${query}`, key === undefined ? {} : { key })).body;

describe('countEvents', () => {
  test('counts events by type and hour, and in total', async () => {
    for (const _ of [1, 2]) await shop.addPet();
    service.clock.advance(HOUR_MS);
    const { orderId } = await shop.placed();
    await shop.move(orderId, 'approve');
    await shop.move(orderId, 'deliver');
    const key = await service.issueKey({ storeId: 1 });
    const placed = { 'order.approved': 1, 'order.delivered': 1, 'order.placed': 1, 'pet.status_changed': 2 };
    expect(await count(`from=${iso(start)}`, key)).toEqual({
      by: 'hour',
      from: iso(start),
      to: iso(start + HOUR_MS),
      total: 2,
      byType: { 'pet.created': 2 },
      sold: 0,
      periods: [{ start: iso(start), total: 2, byType: { 'pet.created': 2 }, sold: 0 }],
    });
    service.clock.advance(1);
    expect(await count(`from=${iso(start)}`, key)).toEqual({
      by: 'hour',
      from: iso(start),
      to: iso(start + 2 * HOUR_MS),
      total: 8,
      byType: { ...placed, 'pet.created': 3 },
      sold: 1,
      periods: [
        { start: iso(start), total: 2, byType: { 'pet.created': 2 }, sold: 0 },
        { start: iso(start + HOUR_MS), total: 6, byType: { ...placed, 'pet.created': 1 }, sold: 1 },
      ],
    });
  });

  test('counts by day in UTC, and widens the range to whole days', async () => {
    const midnight = start - (start % DAY_MS);
    await service.post('/v1/pets/batch', { pets: Array(30).fill({ name: 'Rex', categoryId: 1 }) });
    service.clock.advance(DAY_MS);
    await shop.addPet();
    const key = await service.issueKey({ storeId: 1 });
    const body = await count(`by=day&from=${iso(midnight + 5)}&to=${iso(midnight + DAY_MS + 1)}`, key);
    expect(body).toMatchObject({ by: 'day', from: iso(midnight), to: iso(midnight + 2 * DAY_MS), total: 31 });
    expect(body.periods.map(({ start, total }: { start: string; total: number }) => [start, total])).toEqual([
      [iso(midnight), 30],
      [iso(midnight + DAY_MS), 1],
    ]);
    const first = await count(`by=day&from=${iso(midnight)}&to=${iso(midnight + DAY_MS)}`, key);
    expect(first.byType).toEqual({ 'pet.created': 30 });
  });

  test('counts every pet that becomes sold, with an order or without, and none that was added as sold', async () => {
    const petId = await shop.addPet();
    await shop.addPet({ status: 'sold' });
    await shop.change(petId, { status: 'pending' });
    await shop.change(petId, { status: 'sold', name: 'Sold' });
    const body = await count(`to=${iso(start + 1)}`, await service.issueKey({ storeId: 1 }));
    expect(body.sold).toBe(1);
    expect(body.byType).toEqual({ 'pet.created': 2, 'pet.status_changed': 2, 'pet.updated': 1 });
  });

  test('counts nothing that was refused or rolled back', async () => {
    await service.post('/v1/pets', { name: '', categoryId: 1 });
    const petId = await shop.addPet();
    await Promise.all([1, 2, 3].map(() => shop.order(petId)));
    const { byType } = await count(`to=${iso(start + 1)}`, await service.issueKey({ storeId: 1 }));
    expect(byType).toEqual({ 'order.placed': 1, 'pet.created': 1, 'pet.status_changed': 1 });
  });

  test('defaults to the last 7 days by hour', async () => {
    service.clock.advance(8 * DAY_MS + 1);
    await shop.addPet();
    const [from, to] = [start + DAY_MS, start + 8 * DAY_MS + HOUR_MS].map(iso);
    expect(await count('', await service.issueKey({ storeId: 1 }))).toMatchObject({ by: 'hour', from, to, total: 1 });
  });

  test.each([
    ['by=day&to=9999-12-31T00:00:00Z', '9999-12-24T00:00:00.000Z', '9999-12-31T00:00:00.000Z'],
    ['from=0000-01-01T00:00:00Z&to=0000-01-01T00:00:01Z', '0000-01-01T00:00:00.000Z', '0000-01-01T01:00:00.000Z'],
  ])('returns times with four-digit years: %s', async (query, from, to) => {
    expect(await count(query)).toMatchObject({ from, to, periods: [] });
  });

  test('counts only types that the key may read', async () => {
    await shop.placed();
    const types = async (...scopes: string[]) =>
      Object.keys((await count(`to=${iso(start + 1)}`, await service.issueKey({ storeId: 1, scopes }))).byType).sort();
    const pets = ['pet.created', 'pet.status_changed'];
    expect(await types('pets:read')).toEqual(pets);
    expect(await types('pets:read', 'orders:read')).toEqual(['order.placed', ...pets]);
    expect(await types('pets:read', 'events:read')).toEqual(['order.placed', ...pets]);
    expect(await types('pets:read', 'keys:write')).toEqual(['key.created', ...pets]);
  });

  test('counts only the events of the caller’s own store', async () => {
    await shop.addPet();
    const key = await service.issueKey({ storeId: 2 });
    expect(await count(`to=${iso(start + 1)}`, key)).toMatchObject({ total: 0, byType: {}, sold: 0, periods: [] });
  });

  test('keeps the counts for as long as the events', async () => {
    await shop.addPet();
    service.clock.advance(399 * DAY_MS);
    await shop.addPet();
    const key = await service.issueKey({ storeId: 1 });
    const days = async () => (await count(`by=day&from=${iso(start)}&to=${iso(start + 402 * DAY_MS)}`, key)).periods;
    expect(await days()).toHaveLength(2);
    service.clock.advance(2 * DAY_MS);
    await service.runJobs();
    expect((await days()).map(({ start: of }: { start: string }) => of)).toEqual([
      iso(start - (start % DAY_MS) + 399 * DAY_MS),
    ]);
    const hours = await count(`from=${iso(start - HOUR_MS)}&to=${iso(start + HOUR_MS)}`, key);
    expect(hours.periods).toEqual([]);
  });

  test.each([
    ['from=yesterday', 'must be a time'],
    ['by=week', 'must be hour or day'],
    ['to=9999-12-31T00:00:00.001Z', 'to: must be 9999-12-31T00:00:00Z or earlier'],
    ['to=9999-12-31T23:59:59.999Z&by=day', 'to: must be 9999-12-31T00:00:00Z or earlier'],
    ['to=0000-01-01T00:00:00%2B01:00', 'must be a time'],
    ['from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z', 'from: must be before `to`'],
    ['from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'at most 1,000 periods before `to`, not 1,416; to cover'],
    ['by=day&from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'at most 1,000 periods before `to`, not 2,192'],
  ])('refuses %s', async (query, message) => {
    const answer = await service.get(`/v1/events/counts?${query}`);
    expectError(answer, 'invalid_parameter', 400);
    expect(answer.body.message).toContain(message);
  });
});
