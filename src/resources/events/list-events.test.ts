import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestDatabase } from '../../../test/database.ts';
import { pagesBehind, queryPlans } from '../../../test/query-plan.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createLocalArrivals } from '../../streaming/arrivals.ts';
import { sequenceInTransaction } from '../../streaming/sequencer.sql.ts';
import { sqlEvents } from './events.repository.sql.ts';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = await service.issueKey({ storeId: 2, scopes: ['pets:write', 'events:read'] });
  for (let index = 0; index < 3; index += 1) {
    const { body } = await service.post('/v1/pets', `{"name":"Pet ${index}","categoryId":9223372036854775807}`, {
      key,
    });
    await service.call('PATCH', `/v1/pets/${body.id}`, { key, body: { name: 'Renamed', status: 'sold' } });
  }
});
afterAll(() => service.stop());

const types = (body: { type: string }[]) => body.map(({ type }) => type);

describe('listEvents', () => {
  test('lists events by sequence', async () => {
    const { status, body } = await service.get('/v1/events', { key });
    expect(status).toBe(200);
    const one = ['pet.created', 'pet.updated', 'pet.status_changed'];
    expect(types(body)).toEqual([...one, ...one, ...one]);
    expect(body[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/),
      sequence: 2,
      type: 'pet.created',
      timestamp: new Date(service.clock()).toISOString(),
      data: {
        object: { id: expect.any(Number), name: 'Pet 0', categoryId: 9223372036854775807n, status: 'available' },
      },
      actor: { keyId: expect.stringMatching(/^key_/) },
      requestId: expect.stringMatching(/^req_/),
    });
    expect(body[1].data.previous).toEqual({ name: 'Pet 0' });
  });

  test('filters by type, in pages and in both orders', async () => {
    const all = await service.get('/v1/events?type=pet.updated', { key });
    const sequences = all.body.map(({ sequence }: { sequence: number }) => sequence);
    expect(sequences).toEqual([3, 6, 9]);
    const page = await service.get('/v1/events?type=pet.updated&order=desc&limit=2', { key });
    expect(page.body.map(({ sequence }: { sequence: number }) => sequence)).toEqual([9, 6]);
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
    const last = await service.get(next.slice(service.url('').length), { key });
    expect(last.body.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3]);
  });

  describe('by pet, order and key', () => {
    let seller: string;
    let clerk: string;
    let petId: number;
    let other: number;
    let orderId: number;
    let clerkId: string;
    const list = async (query: string) =>
      (await service.get(`/v1/events?${query}`, { key: seller })).body.map(
        ({ type, data }: { type: string; data: { object: { id: number } } }) => `${type} ${data.object.id}`,
      );
    beforeAll(async () => {
      const scopes = ['pets:write', 'orders:write', 'events:read'];
      seller = await service.issueKey({ storeId: 3, scopes });
      clerk = await service.issueKey({ storeId: 3, scopes: [...scopes, 'keys:write', 'webhooks:write'] });
      clerkId = (await service.get('/v1/keys/me', { key: clerk })).body.id;
      const add = async (name: string) =>
        (await service.post('/v1/pets', { name, categoryId: 1 }, { key: seller })).body.id;
      [petId, other] = [await add('Rex'), await add('Bella')];
      orderId = (await service.post('/v1/store/orders', { petId }, { key: clerk })).body.id;
      await service.post('/v1/store/orders', { petId: other }, { key: clerk });
      await service.post(`/v1/store/orders/${orderId}/cancel`, undefined, { key: seller });
      await service.post('/v1/keys', { name: 'x', plan: 'free', storeId: 3 }, { key: clerk });
    });

    test('lists the events of a pet together with those of its orders', async () => {
      const all = [`pet.created ${petId}`, `order.placed ${orderId}`, `pet.status_changed ${petId}`];
      all.push(`order.cancelled ${orderId}`, `pet.status_changed ${petId}`);
      expect(await list(`petId=${petId}`)).toEqual(all);
      expect(await list(`petId=${petId}&order=desc`)).toEqual(all.toReversed());
      expect(await list(`petId=${petId}&type=order.cancelled`)).toEqual([`order.cancelled ${orderId}`]);
      expect(await list('petId=999999')).toEqual([]);
    });

    test('lists the events of an order and of its pet', async () => {
      const changed = [`order.placed ${orderId}`, `pet.status_changed ${petId}`];
      expect(await list(`orderId=${orderId}`)).toEqual([...changed, `order.cancelled ${orderId}`, changed[1]]);
      expect(await list(`orderId=${orderId}&petId=${petId}&keyId=${clerkId}`)).toEqual(changed);
      expect(await list(`orderId=${orderId}&petId=${other}`)).toEqual([]);
    });

    test('lists the changes that a key made, and shows changes to keys only with keys:write', async () => {
      const types = async (query: string, key?: string) =>
        (await service.get(`/v1/events?keyId=${clerkId}${query}`, { key: key ?? seller })).body.map(
          ({ type }: { type: string }) => type,
        );
      const placed = ['order.placed', 'pet.status_changed', 'order.placed', 'pet.status_changed'];
      expect(await types('')).toEqual(placed);
      expect(await types('', clerk)).toEqual([...placed, 'key.created']);
      expect(await types('&type=key.created')).toEqual([]);
      expect(await types('&type=order.placed')).toEqual(['order.placed', 'order.placed']);
      expect(await types('&order=desc&limit=2')).toEqual(['pet.status_changed', 'order.placed']);
    });

    test('pages through the changes that a key made, and shows each exactly once', async () => {
      const found: string[] = [];
      let path = `/v1/events?keyId=${clerkId}&limit=1`;
      while (path) {
        const { body, headers } = await service.get(path, { key: clerk });
        found.push(...body.map(({ id }: { id: string }) => id));
        path = (/<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '').replace(service.url(''), '');
      }
      expect(found).toHaveLength(5);
      expect(new Set(found).size).toBe(5);
    });

    test('shows nothing from another store', async () => {
      for (const query of [`petId=${petId}`, `orderId=${orderId}`, `keyId=${clerkId}`]) {
        expect((await service.get(`/v1/events?${query}&type=order.placed`, { key })).body).toEqual([]);
      }
    });

    test.each(['petId=x', 'orderId=1.5', 'keyId=', 'keyId=wh_1', 'petId=1&petId=2'])('refuses %s', async (query) => {
      expect((await service.get(`/v1/events?${query}`, { key: seller })).body.code).toBe('invalid_parameter');
    });

    test('refuses a pet together with a key, because no index covers both', async () => {
      const { body } = await service.get(`/v1/events?petId=${petId}&keyId=${clerkId}`, { key: seller });
      expect([body.code, body.message]).toEqual([
        'invalid_parameter',
        expect.stringContaining('cannot be combined with `petId`'),
      ]);
    });
  });

  test.each([
    ['events_pet', { petId: 7n }, 'pet_id'],
    ['events_actor', { keyId: 'key_1' }, 'actor_key_id'],
  ] as const)('reads only %s without sorting, with and without a type', async (index, filter, column) => {
    const { path, close } = openTestDatabase();
    const plans = await queryPlans(path, async (sql) => {
      const events = sqlEvents(sql, 1n, sequenceInTransaction(createLocalArrivals())(sql), () => 0);
      for (const page of pagesBehind(5n)) {
        for (const type of [undefined, 'pet.created'] as const) {
          await events.list({ ...filter, type, withOperators: false }, page);
          await events.list({ ...filter, orderId: 3n, type, withOperators: false }, page);
        }
      }
    });
    await close();
    const own = `SEARCH events USING INDEX ${index} (store_id=? AND ${column}=? AND type=?`;
    const ofOrder = 'SEARCH events USING INDEX events_order (store_id=? AND order_id=?';
    const parts = new Set(plans.flatMap((plan) => plan.split('; ')));
    const ends = [')', ' AND sequence>?)', ' AND sequence<?)'];
    expect(parts).toEqual(
      new Set(['MERGE (UNION ALL)', 'LEFT', 'RIGHT', ...ends.flatMap((end) => [`${own}${end}`, `${ofOrder}${end}`])]),
    );
  });

  test('refuses an unknown type', async () => {
    expect((await service.get('/v1/events?type=pet.sneezed', { key })).body.code).toBe('invalid_parameter');
  });

  test('shows key events only with keys:write, even if filtered by their type', async () => {
    const operator = await service.issueKey({ storeId: 2, scopes: ['events:read', 'keys:write'] });
    expect(types((await service.get('/v1/events?type=key.created', { key: operator })).body)).toEqual([
      'key.created',
      'key.created',
    ]);
    expect((await service.get('/v1/events?type=key.created', { key })).body).toEqual([]);
  });

  test('shows only the events of the caller’s own store', async () => {
    const { body } = await service.get('/v1/events?type=pet.created');
    expect(body).toEqual([]);
  });
});
