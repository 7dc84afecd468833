import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestDatabase } from '../../../test/database.ts';
import { expectError } from '../../../test/expect-answer.ts';
import { followPages, relations, rowsOf } from '../../../test/follow-pages.ts';
import { pagesBehind, queryPlans } from '../../../test/query-plan.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';
import { createLocalArrivals } from '../../streaming/arrivals.ts';
import { sequenceInTransaction } from '../../streaming/sequencer.sql.ts';
import { sqlEvents } from './events.repository.sql.ts';

const DAY_MS = 86_400_000;

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

const history = (id: unknown, query = '') => service.get(`/v1/pets/${id}/history${query}`);

const added = (name: string, categoryId: number, status: string) => [
  { field: 'name', from: null, to: name },
  { field: 'categoryId', from: null, to: categoryId },
  { field: 'status', from: null, to: status },
];

describe('listPetHistory', () => {
  test('shows when a pet was added, and by which key and request', async () => {
    const { body, headers } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const { status, body: entries } = await history(body.id);
    expect(status).toBe(200);
    expect(entries).toEqual([
      {
        sequence: expect.any(Number),
        timestamp: new Date(service.clock()).toISOString(),
        type: 'pet.created',
        changes: added('Rex', 1, 'available'),
        orderId: null,
        actor: { keyId: expect.stringMatching(/^key_/) },
        requestId: headers.get('x-request-id'),
      },
    ]);
  });

  test('shows the previous and new value of every changed field, and no others', async () => {
    const id = await shop.addPet();
    service.clock.advance(60_000);
    const changedAt = new Date(service.clock()).toISOString();
    const { headers } = await shop.change(id, { name: 'Bella', categoryId: 1, status: 'pending' });
    await shop.change(id, {});
    await shop.change(id, { categoryId: 2 });
    expect((await history(id)).body.slice(1)).toMatchObject([
      {
        type: 'pet.updated',
        timestamp: changedAt,
        changes: [{ field: 'name', from: 'Rex', to: 'Bella' }],
        requestId: headers.get('x-request-id'),
      },
      { type: 'pet.status_changed', changes: [{ field: 'status', from: 'available', to: 'pending' }], orderId: null },
      { type: 'pet.updated', changes: [{ field: 'categoryId', from: 1, to: 2 }] },
    ]);
  });

  test('names the order that caused a change, and its actor', async () => {
    const key = await service.issueKey();
    const me = (await service.get('/v1/keys/me', { key })).body.id;
    const petId = await shop.addPet();
    const { body: order } = await shop.order(petId, { key });
    service.clock.advance(3_600_000);
    await service.runJobs();
    const { body: second } = await shop.order(petId);
    await shop.move(second.id, 'approve');
    await shop.move(second.id, 'deliver');
    const moved = (from: string, to: string) => [{ field: 'status', from, to }];
    expect((await history(petId)).body.slice(1)).toMatchObject([
      { orderId: order.id, changes: moved('available', 'pending'), actor: { keyId: me } },
      { orderId: order.id, changes: moved('pending', 'available'), actor: null, requestId: null },
      { orderId: second.id, changes: moved('available', 'pending') },
      { orderId: second.id, changes: moved('pending', 'sold') },
    ]);
  });

  test('stays readable after the pet is deleted, including the deletion', async () => {
    const id = await shop.addPet({ status: 'sold' });
    await service.call('DELETE', `/v1/pets/${id}`);
    const { status, body } = await history(id);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { type: 'pet.created', changes: added('Rex', 1, 'sold') },
      {
        type: 'pet.deleted',
        changes: [
          { field: 'name', from: 'Rex', to: null },
          { field: 'categoryId', from: 1, to: null },
          { field: 'status', from: 'sold', to: null },
        ],
      },
    ]);
  });

  test('keeps every digit of a category, before and after', async () => {
    const { body } = await service.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
    await shop.change(body.id, '{"categoryId":-9223372036854775808}');
    await service.call('DELETE', `/v1/pets/${body.id}`);
    const { text } = await history(body.id);
    expect([...text.matchAll(/\{"field":"categoryId"[^}]*\}/g)].map(([change]) => change)).toEqual([
      '{"field":"categoryId","from":null,"to":9223372036854775807}',
      '{"field":"categoryId","from":9223372036854775807,"to":-9223372036854775808}',
      '{"field":"categoryId","from":-9223372036854775808,"to":null}',
    ]);
  });

  test('shows a name exactly as it was sent', async () => {
    const name = '{"field":"status"} 9223372036854775807 "\\u0000 __proto__';
    const id = await shop.addPet({ name });
    expect((await history(id)).body[0].changes[0]).toEqual({ field: 'name', from: null, to: name });
  });

  test.each(['999999', '0', '-1', '007', 'abc', '9223372036854775808'])('returns 404 for the id %s', async (id) => {
    expectError(await history(id), 'not_found', 404);
  });

  test('returns 404 for a pet in another store, deleted or not', async () => {
    const id = await shop.addPet();
    const key = await service.issueKey({ storeId: 2 });
    const foreign = () => service.get(`/v1/pets/${id}/history`, { key });
    expectError(await foreign(), 'not_found', 404);
    await service.call('DELETE', `/v1/pets/${id}`);
    expectError(await foreign(), 'not_found', 404);
  });

  test('returns 404 for a pet in another store, even with a cursor from that store', async () => {
    const id = await shop.addPet();
    await shop.change(id, { name: 'Bella' });
    const next = relations(await history(id, '?limit=1')).next?.replace(service.url(''), '') ?? '';
    expect((await service.get(next)).status).toBe(200);
    const key = await service.issueKey({ storeId: 2 });
    expectError(await service.get(next, { key }), 'not_found', 404);
    await service.call('DELETE', `/v1/pets/${id}`);
    expectError(await service.get(next, { key }), 'not_found', 404);
  });

  test('returns an empty page, not 404, if all events after the cursor have expired', async () => {
    const id = await shop.addPet();
    service.clock.advance(200 * DAY_MS);
    await service.call('DELETE', `/v1/pets/${id}`);
    const next = relations(await history(id, '?limit=1&order=desc')).next?.replace(service.url(''), '') ?? '';
    expect((await service.get(next)).body).toHaveLength(1);
    service.clock.advance(199 * DAY_MS);
    // Cleanup deletes nothing if the clock is far ahead of the newest usage record. This request adds a usage record.
    await history(id);
    service.clock.advance(2 * DAY_MS);
    await service.runJobs();
    const { status, body } = await service.get(next);
    expect([status, body]).toEqual([200, []]);
  });

  test('is not deprecated, unlike getPet', async () => {
    expect((await history(await shop.addPet())).headers.get('deprecation')).toBeNull();
  });
});

describe('the pages of a history', () => {
  let id: number;
  let names: string[];
  beforeAll(async () => {
    id = await shop.addPet({ name: 'Rex 0' });
    names = Array.from({ length: 8 }, (_, index) => `Rex ${index}`);
    for (const name of names.slice(1)) await shop.change(id, { name });
  });
  const namesOf = (entries: any[]) => entries.map(({ changes }) => changes[0].to);

  test.each([1, 3, 4, 8, 100])('show every change exactly once, in both orders, with limit=%d', async (limit) => {
    const rising = rowsOf(await followPages(service, `/v1/pets/${id}/history?limit=${limit}`));
    expect(namesOf(rising)).toEqual(names);
    const falling = await followPages(service, `/v1/pets/${id}/history?limit=${limit}&order=desc`);
    expect(rowsOf(falling)).toEqual(rising.toReversed());
  });

  test('have links with the path of the pet', async () => {
    const links = relations(await history(id, '?limit=3'));
    expect(links.first).toBe(service.url(`/v1/pets/${id}/history?limit=3`));
    expect(links.next).toStartWith(`${links.first}&cursor=`);
  });

  test('refuse a cursor from the history of another pet', async () => {
    const token = /cursor=([\w-]+)/.exec(relations(await history(id, '?limit=3')).next ?? '')?.[1];
    expect((await history(id, `?limit=3&cursor=${token}`)).status).toBe(200);
    expectError(await history(await shop.addPet(), `?limit=3&cursor=${token}`), 'invalid_cursor', 400);
  });

  test('are served by an index without sorting', async () => {
    const { path, close } = openTestDatabase();
    const plans = await queryPlans(path, async (sql) => {
      const events = sqlEvents(sql, 1n, sequenceInTransaction(createLocalArrivals())(sql), () => 0);
      for (const page of pagesBehind(5n)) await events.listOfPet(7n, page);
    });
    await close();
    const own = 'SEARCH events USING INDEX events_pet (store_id=? AND pet_id=? AND type=?';
    const merge = (part: string) => `MERGE (UNION ALL); LEFT; ${part}; RIGHT; ${part}`;
    const merged = (part: string) => merge(merge(part));
    expect(plans).toEqual([`${own})`, `${own} AND sequence>?)`, `${own})`, `${own} AND sequence<?)`].map(merged));
  });
});
