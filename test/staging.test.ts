import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SAMPLES } from '../src/resources/sandbox/seed-store.ts';
import { FIRST_CATEGORIES } from '../src/resources/stores/stores.repository.ts';
import { readRows } from './database.ts';
import { expectError } from './expect-answer.ts';
import { inTime } from './in-time.ts';
import { left, shown } from './limit-probe.ts';
import { createTestClock, type Service, STAGING, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ environment: STAGING });
});
afterAll(() => service.stop());

const rowsOf = (at: Service, table: string, storeId: number, order: string) =>
  readRows(at.place, `SELECT * FROM ${table} WHERE store_id = ${storeId} ORDER BY ${order}`);
const petsOf = (storeId: number) => rowsOf(service, 'pets', storeId, 'id');
const ordersOf = (storeId: number) => rowsOf(service, 'orders', storeId, 'id');
const eventsOf = (storeId: number) => rowsOf(service, 'events', storeId, 'sequence');
const categoriesOf = async (at: Service, storeId: number) =>
  (await rowsOf(at, 'categories', storeId, 'id')).map(({ id, name }) => [id, name]);

const SIX = FIRST_CATEGORIES.map((name, index) => [index + 1, name]);

type Issued = { id: string; key: string; storeId: number };
const issue = async (fields: object = {}): Promise<Issued> =>
  (await service.post('/v1/keys', { name: 'x', plan: 'business', ...fields })).body;

const look = ({ name, category_id, status, version }: Record<string, unknown>) => [name, category_id, status, version];

const expectFilled = async ({ id, key, storeId }: Issued) => {
  const pets = await petsOf(storeId);
  expect(pets.map(look)).toEqual(SAMPLES.map(({ name, categoryId, status }) => [name, Number(categoryId), status, 1]));
  const orders = await ordersOf(storeId);
  const byStatus = Object.groupBy(orders, ({ status }) => status);
  expect(Object.keys(byStatus).sort()).toEqual(['approved', 'cancelled', 'delivered']);
  const petOf = new Map(pets.map((pet) => [pet.id, pet]));
  const left = { approved: 'pending', delivered: 'sold', cancelled: 'available' } as Record<string, string>;
  for (const order of orders) {
    expect(petOf.get(order.pet_id)?.status).toBe(left[order.status]);
    expect(order).toMatchObject({ placed_by_key_id: id, expires_at: null, placed_at: service.clock() });
  }
  const held = pets.filter((pet) => pet.held_by_order_id !== null);
  expect(held.map((pet) => [pet.held_by_order_id, pet.id])).toEqual(
    (byStatus.approved ?? []).map((order) => [order.id, order.pet_id]),
  );
  expect(await categoriesOf(service, storeId)).toEqual(SIX);

  const counts = Object.groupBy(pets, ({ status }) => status);
  const inventory = (await service.get('/v1/store/inventory', { key })).body;
  for (const status of ['available', 'pending', 'sold']) expect(inventory[status]).toBe(counts[status]?.length);
};

const expectGapless = async (storeId: number) => {
  const sequences = (await eventsOf(storeId)).map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
};

describe('a new key on staging', () => {
  test('is a test key', async () => {
    const { body } = await service.post('/v1/keys', { name: 'x', plan: 'free' });
    expect(body.key).toMatch(/^ps_test_[0-9A-Za-z]{36}$/);
    expect(body.prefix).toBe('ps_test_');
  });

  test('gets its own store, filled with varied pets and their orders', async () => {
    const [one, other] = [await issue(), await issue()];
    expect(new Set([1, one.storeId, other.storeId]).size).toBe(3);
    await expectFilled(one);
    await expectFilled(other);
    expect(SAMPLES).toHaveLength(60);
    expect(new Set(SAMPLES.map(({ name }) => name)).size).toBe(60);
    for (const { storeId } of [one, other]) expect((await petsOf(storeId))[0]).toMatchObject({ id: 1 });
  });

  test('finds its pets over HTTP', async () => {
    const { key, storeId } = await issue();
    const { body } = await service.get('/v1/pets?limit=100', { key });
    expect(body).toEqual(
      (await petsOf(storeId)).map(({ id, name, category_id, status }) => ({
        id,
        name,
        categoryId: category_id,
        status,
      })),
    );
    expect((await service.get('/v1/pets?status=sold&limit=100', { key })).body).toHaveLength(12);
  });

  test('has an event for each pet, in order and without gaps, followed by its own', async () => {
    const { id, storeId } = await issue();
    await expectGapless(storeId);
    const events = await eventsOf(storeId);
    expect(events.map(({ type }) => type)).toEqual([...Array(60).fill('pet.created'), 'key.created']);
    const pets = await petsOf(storeId);
    expect(events.slice(0, 60).map(({ pet_id }) => pet_id)).toEqual(pets.map((pet) => pet.id));
    for (const [index, pet] of pets.entries()) {
      const { id, name, category_id: categoryId, status } = pet;
      expect(JSON.parse(events[index].data)).toEqual({ object: { id, name, categoryId, status } });
    }
    expect(JSON.parse(events[60].data).object.id).toBe(id);
  });

  test('shares the store that storeId names; a new store is filled, an existing one is unchanged', async () => {
    const one = await issue();
    await service.post('/v1/pets', { name: 'Ours', categoryId: 1 }, { key: one.key });
    const mate = await issue({ storeId: one.storeId });
    expect(mate.storeId).toBe(one.storeId);
    expect(await petsOf(one.storeId)).toHaveLength(61);
    expect((await service.get('/v1/pets?order=desc&limit=1', { key: mate.key })).body[0].name).toBe('Ours');

    const named = await issue({ storeId: 70_000 });
    await expectFilled(named);
    await expectGapless(70_000);
  });

  test('never gets a store that another key has named with storeId', async () => {
    const { storeId } = await issue();
    await issue({ storeId: storeId + 1 });
    await service.post(
      '/v1/pets',
      { name: 'Ours', categoryId: 1 },
      { key: (await issue({ storeId: storeId + 1 })).key },
    );
    const next = await issue();
    expect(next.storeId).toBe(storeId + 2);
    await expectFilled(next);
  });

  test('that is refused opens no store', async () => {
    const count = async () => (await readRows(service.place, 'SELECT count(*) AS n FROM stores'))[0].n;
    const before = await count();
    const refused = { name: 'x', plan: 'free', expiresAt: '2020-01-01T00:00:00Z', storeId: 80_000 };
    expectError(await service.post('/v1/keys', refused), 'invalid_request', 400);
    expect(await count()).toBe(before);
  });

  test('is refused in production, and a production key is refused on staging', async () => {
    const { key } = await issue();
    const production = await startService();
    const live = await production.issueKey();
    expect(live).toStartWith('ps_live_');
    for (const [at, secret] of [
      [production, key],
      [service, live],
    ] as const) {
      const response = await at.get('/v1/pets', { key: secret });
      expectError(response, 'invalid_api_key', 401);
      expect(response.body.message).toMatch(
        /^A (staging|production) key does not work on the (staging|production) service\./,
      );
    }
    await production.stop();
  });
});

describe('resetSandbox', () => {
  const reset = (key: string) => service.post('/v1/sandbox/reset', undefined, { key });

  test('restores pets, orders and categories to their initial state', async () => {
    const one = await issue();
    for (const categoryId of [1, 77, -5])
      await service.post('/v1/pets', { name: 'Mine', categoryId }, { key: one.key });
    expect(await categoriesOf(service, one.storeId)).toHaveLength(8);
    const highest = (await petsOf(one.storeId)).at(-1)?.id;
    const highestOrder = (await ordersOf(one.storeId)).at(-1)?.id;
    service.clock.advance(1000);

    const response = await reset(one.key);
    expect([response.status, response.text]).toEqual([204, '']);
    await expectFilled(one);
    expect((await petsOf(one.storeId))[0].id).toBeGreaterThan(highest);
    expect((await ordersOf(one.storeId))[0].id).toBeGreaterThan(highestOrder);
  });

  test('writes an event for every deleted and every new pet, after all past events', async () => {
    const { id, key, storeId } = await issue();
    const { body: mine } = await service.post('/v1/pets', { name: 'Mine', categoryId: 1 }, { key });
    const [gone, past] = [(await petsOf(storeId)).map((pet) => pet.id), await eventsOf(storeId)];
    const response = await reset(key);
    const events = await eventsOf(storeId);
    expect(events.slice(0, past.length)).toEqual(past);
    await expectGapless(storeId);
    const fresh = events.slice(past.length);
    expect(fresh.map(({ type }) => type)).toEqual([...Array(61).fill('pet.deleted'), ...Array(60).fill('pet.created')]);
    const idsOf = (some: typeof fresh): number[] => some.map(({ pet_id }) => pet_id).sort((one, other) => one - other);
    expect(idsOf(fresh.slice(0, 61))).toEqual(gone);
    expect(idsOf(fresh.slice(61))).toEqual((await petsOf(storeId)).map((pet) => pet.id));
    expect(fresh.map(({ data }) => JSON.parse(data))).toContainEqual({ object: mine });
    for (const event of fresh) {
      expect(event).toMatchObject({
        actor_key_id: id,
        request_id: response.headers.get('x-request-id'),
        address: null,
      });
    }
  });

  test('keeps the key and its windows, and costs one request', async () => {
    const { id, key } = await issue({ plan: 'pro' });
    const before = (await service.get(`/v1/keys/${id}`)).body;
    await service.get('/v1/pets', { key });
    expect(left(await reset(key))).toEqual([298, 9998]);
    expect(shown(await service.get('/v1/pets', { key })).remaining).toBe(297);
    expect((await service.get(`/v1/keys/${id}`)).body).toEqual(before);
    expect((await service.get('/v1/usage', { key })).body.hours[0].byStatus).toMatchObject({ '204': 1, '200': 2 });
  });

  test('can be repeated, even after a restart, and never reuses an ID', async () => {
    const one = await issue();
    const seen = new Set<number>((await petsOf(one.storeId)).map(({ id }) => id));
    for (let round = 1; round <= 3; round += 1) {
      await reset(one.key);
      if (round === 2) await service.restart();
      for (const { id } of await petsOf(one.storeId)) seen.add(id);
      expect(seen.size).toBe(60 * (round + 1));
    }
    await expectFilled(one);
  });

  test('of a shared store affects every key of that store, and no other store', async () => {
    const [one, other] = [await issue(), await issue()];
    const mate = await issue({ storeId: one.storeId });
    const untouched = await petsOf(other.storeId);
    await service.post('/v1/pets', { name: 'Ours', categoryId: 1 }, { key: mate.key });
    await reset(mate.key);
    expect((await service.get('/v1/pets?order=desc&limit=1', { key: one.key })).body[0].name).toBe('Fern');
    expect(await petsOf(other.storeId)).toEqual(untouched);
  });

  test('sent 20 times concurrently leaves the store as one reset does', async () => {
    await inTime(25_000, async () => {
      const one = await issue();
      const answers = await Promise.all(Array.from({ length: 20 }, () => reset(one.key)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204));
      await expectFilled(one);
      await expectGapless(one.storeId);
    });
  });

  test('requires pets:write', async () => {
    const { key, storeId } = await issue({ scopes: ['pets:read', 'orders:write'] });
    const before = await petsOf(storeId);
    expectError(await reset(key), 'insufficient_scope', 403);
    expect(await petsOf(storeId)).toEqual(before);
  });
});

describe('in production', () => {
  let production: Service;
  beforeAll(async () => {
    production = await startService();
  });
  afterAll(() => production.stop());

  test('there is no sandbox to reset: a 404 with a key, a 401 without one', async () => {
    expectError(await production.post('/v1/sandbox/reset', undefined), 'route_not_found', 404);
    expectError(await production.get('/v1/sandbox/reset'), 'route_not_found', 404);
    expectError(await production.post('/v1/sandbox/reset', undefined, { key: null }), 'missing_api_key', 401);
    expect((await production.get('/openapi.json', { key: null })).text).not.toContain('sandbox');
  });

  test('keys use store 1 by default', async () => {
    const { body } = await production.post('/v1/keys', { name: 'x', plan: 'free' });
    expect(body.storeId).toBe(1);
  });

  test('a key with a new storeId opens an empty store with the six categories', async () => {
    const { body } = await production.post('/v1/keys', { name: 'x', plan: 'free', storeId: 42 });
    expect(body.storeId).toBe(42);
    expect((await production.get('/v1/pets', { key: body.key })).body).toEqual([]);
    expect((await production.get('/v1/store/inventory', { key: body.key })).body).toEqual({
      ...{ available: 0, pending: 0, sold: 0 },
    });
    expect(await categoriesOf(production, 42)).toEqual(SIX);
    expect(await rowsOf(production, 'orders', 42, 'id')).toEqual([]);
    expect((await rowsOf(production, 'events', 42, 'sequence')).map(({ type }) => type)).toEqual(['key.created']);
  });

  test('a second key of a store sees the data of the first', async () => {
    const [one, mate] = [await production.issueKey({ storeId: 43 }), await production.issueKey({ storeId: 43 })];
    await production.post('/v1/pets', { name: 'Rex', categoryId: 900 }, { key: one });
    expect((await production.get('/v1/pets', { key: mate })).body).toHaveLength(1);
    expect(await categoriesOf(production, 43)).toEqual([...SIX, [900, null]]);
  });
});

describe('PETSTORE_REHEARSE_DATE', () => {
  test('sets the date for deprecations, and nothing else', async () => {
    const environment = { ...STAGING, PETSTORE_REHEARSE_DATE: '2030-12-05' };
    const rehearsal = await startService({ environment, clock: createTestClock('2026-11-20T12:00:00.000Z') });
    const { body } = await rehearsal.post('/v1/keys', { name: 'x', plan: 'free', expiresAt: '2027-01-01T00:00:00Z' });
    const list = await rehearsal.get('/v1/pets?limit=1', { key: body.key });
    expect(list.status).toBe(200);
    expect(shown(list).reset).toBe(Date.parse('2026-11-20T12:01:00.000Z') / 1000);
    const path = `/v1/pets/${list.body[0].id}`;
    expectError(await rehearsal.get(path, { key: body.key }), 'operation_removed', 410);
    expect((await rehearsal.call('HEAD', path, { key: body.key })).status).toBe(410);
    expect(body.createdAt).toBe('2026-11-20T12:00:00.000Z');
    await rehearsal.stop();
  });

  test('before the sunset date keeps the operation, whatever the clock shows', async () => {
    const environment = { ...STAGING, PETSTORE_REHEARSE_DATE: '2030-12-04T23:59:59.999Z' };
    const rehearsal = await startService({ environment, clock: createTestClock('2031-01-01T00:00:00.000Z') });
    const { id } = (await rehearsal.post('/v1/pets', { name: 'Rex', categoryId: 1 })).body;
    expect((await rehearsal.get(`/v1/pets/${id}`)).status).toBe(200);
    await rehearsal.stop();
  });
});
