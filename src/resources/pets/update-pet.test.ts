import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { createTestClock, type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

describe('updatePet', () => {
  const changes: [string, object][] = [
    ['the name', { name: ' Zoë 🐕\n' }],
    ['the category', { categoryId: 2 }],
    ['the status', { status: 'sold' }],
    ['all three together', { name: 'Bella', categoryId: 3, status: 'pending' }],
  ];
  test.each(changes)('changes %s and leaves the rest', async (_, change) => {
    const id = await shop.addPet();
    const { status, headers, body } = await shop.change(id, change);
    expect(status).toBe(200);
    expect(body).toEqual({ id, name: 'Rex', categoryId: 1, status: 'available', ...change });
    expect(headers.get('etag')).toBe('"2"');
    expect(await shop.pet(id)).toEqual({ ...body, version: '"2"' });
  });

  test('returns the four fields of a pet, in their order', async () => {
    const { body } = await shop.change(await shop.addPet(), { status: 'sold', name: 'Bella' });
    expect(Object.keys(body)).toEqual(['id', 'name', 'categoryId', 'status']);
  });

  test('increments the version with each change', async () => {
    const id = await shop.addPet();
    for (const [index, name] of ['Ann', 'Bo', 'Cy'].entries()) {
      expect((await shop.change(id, { name })).headers.get('etag')).toBe(`"${index + 2}"`);
    }
    expect((await service.get(`/v1/pets/${id}`)).headers.get('etag')).toBe('"4"');
  });

  test('loses none of many concurrent changes', async () => {
    const id = await shop.addPet();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => shop.change(id, { name: `Rex ${index}` })),
    );
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(50);
    expect((await shop.pet(id)).version).toBe('"51"');
  });

  const noChanges: [string, object][] = [
    ['nothing', {}],
    ['its current values', { name: 'Rex', categoryId: 1, status: 'available' }],
    ['unknown fields', { owner: 'Ann', version: 9, heldByOrderId: 1 }],
    ['the id, which is ignored', { id: 99_999 }],
  ];
  test.each(noChanges)('returns 200 and changes nothing for %s', async (_, change) => {
    const id = await shop.addPet();
    const { status, headers, body } = await shop.change(id, change);
    expect(status).toBe(200);
    expect(body).toEqual({ id, name: 'Rex', categoryId: 1, status: 'available' });
    expect(headers.get('etag')).toBe('"1"');
    expect((await shop.events(`pet_id = ${id}`)).map(({ type }) => type)).toEqual(['pet.created']);
  });

  const refused: [string, string, string][] = [
    ['a null name', '{"name":null}', 'name: must be a string'],
    ['a null category', '{"categoryId":null}', 'categoryId: must be an integer'],
    ['a null status', '{"status":null}', 'status: must be one of available, pending, sold'],
    ['an empty name', '{"name":" "}', 'name: must not be empty'],
    ['a name of 256 characters', `{"name":"${'x'.repeat(256)}"}`, 'name: must be at most 255'],
    ['a category beyond int64', '{"categoryId":9223372036854775808}', 'categoryId: must be an integer'],
    ['an invalid status', '{"status":"dead"}', 'status: must be one of'],
    ['an array', '[{"name":"Bella"}]', 'body: must be a JSON object'],
    ['null', 'null', 'body: must be a JSON object'],
    ['a string', '"Bella"', 'body: must be a JSON object'],
    ['no body', '', 'The request must have a JSON body'],
  ];
  test.each(refused)('refuses %s', async (_, sent, message) => {
    const id = await shop.addPet();
    const answer = await shop.change(id, sent);
    expectError(answer, 'invalid_request', 400);
    expect(answer.body.message).toStartWith(message);
    expect((await shop.pet(id)).version).toBe('"1"');
  });

  test('lists every invalid field, and changes none of the valid ones', async () => {
    const id = await shop.addPet();
    const { body } = await shop.change(id, { name: 'Bella', categoryId: 'one', status: null });
    expect(body.message).toMatch(/^categoryId: [^;]+; status: [^;]+$/);
    expect((await shop.pet(id)).name).toBe('Rex');
  });

  test('keeps every digit of a category', async () => {
    const id = await shop.addPet();
    const { text } = await shop.change(id, '{"categoryId":-9223372036854775808}');
    expect(text).toContain('"categoryId":-9223372036854775808,');
  });

  test('creates a category that does not exist yet', async () => {
    const id = await shop.addPet();
    expect((await service.get('/v1/categories/4711')).status).toBe(404);
    await shop.change(id, { categoryId: 4711 });
    expect((await service.get('/v1/categories/4711')).body).toEqual({ id: 4711, name: null });
  });

  test.each(['999999', '0', '-1', '007', 'abc', '9223372036854775808'])('returns 404 for the id %s', async (id) => {
    expectError(await service.call('PATCH', `/v1/pets/${id}`, { body: { name: 'Bella' } }), 'not_found', 404);
  });

  test('returns 404 for a pet in another store, and leaves the pet unchanged', async () => {
    const id = await shop.addPet();
    const key = await service.issueKey({ storeId: 2 });
    const answer = await service.call('PATCH', `/v1/pets/${id}`, { key, body: { name: 'Mine' } });
    expectError(answer, 'not_found', 404);
    expect((await shop.pet(id)).name).toBe('Rex');
  });

  test('still works after getPet is removed', async () => {
    const later = await startService({ clock: createTestClock('2030-12-05T00:00:00Z') });
    const id = await createShop(later).addPet();
    expect((await later.get(`/v1/pets/${id}`)).status).toBe(410);
    expect((await createShop(later).change(id, { name: 'Bella' })).body.name).toBe('Bella');
    await later.stop();
  });
});

describe('the media type of a change', () => {
  test.each([
    'application/merge-patch+json',
    'application/json',
    'Application/Merge-Patch+JSON; charset=utf-8',
    'application/json;charset="utf-8"',
  ])('may be %s', async (type) => {
    const answer = await shop.change(await shop.addPet(), { name: 'Bella' }, { 'Content-Type': type });
    expect([answer.status, answer.body.name]).toEqual([200, 'Bella']);
  });

  test.each([
    'application/json-patch+json',
    'text/plain',
    'application/merge-patch',
    'application/json; charset=latin1',
  ])('may not be %s', async (type) => {
    const id = await shop.addPet();
    expectError(await shop.change(id, { name: 'Bella' }, { 'Content-Type': type }), 'unsupported_media_type', 415);
    expect((await shop.pet(id)).name).toBe('Rex');
  });
});

describe('the status of a pet', () => {
  const statuses = ['available', 'pending', 'sold'];
  const all = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));
  const leads = ['available pending', 'available sold', 'pending available', 'pending sold'];
  const isAllowed = ({ from, to }: { from: string; to: string }) => from === to || leads.includes(`${from} ${to}`);

  test.each(all.filter(isAllowed))('can change from $from to $to', async ({ from, to }) => {
    const id = await shop.addPet({ status: from });
    const { status, body, headers } = await shop.change(id, { status: to });
    expect([status, body.status, headers.get('etag')]).toEqual([200, to, from === to ? '"1"' : '"2"']);
  });

  test.each(all.filter((move) => !isAllowed(move)))('cannot change from $from to $to', async ({ from, to }) => {
    const id = await shop.addPet({ status: from });
    expectError(await shop.change(id, { status: to, name: 'Bella' }), 'invalid_status_transition', 409);
    expect(await shop.pet(id)).toEqual({ id, name: 'Rex', categoryId: 1, status: from, version: '"1"' });
    expect(await shop.events(`pet_id = ${id}`)).toHaveLength(1);
  });

  test('updates the inventory', async () => {
    const id = await shop.addPet();
    const before = await shop.inventory();
    await shop.change(id, { status: 'pending' });
    expect(await shop.inventory()).toEqual({
      ...before,
      available: before.available - 1,
      pending: before.pending + 1,
    });
    await shop.change(id, { status: 'sold' });
    await shop.change(id, { status: 'available' });
    expect(await shop.inventory()).toEqual({ ...before, available: before.available - 1, sold: before.sold + 1 });
  });
});

describe('a pet held by an order', () => {
  test.each(['available', 'sold'])('becomes %s only through the order', async (status) => {
    const { orderId, petId } = await shop.placed();
    for (const verb of [undefined, 'approve']) {
      if (verb) await shop.move(orderId, verb);
      const answer = await shop.change(petId, { status, name: 'Bella' });
      expectError(answer, 'pet_reserved', 409);
      expect(answer.body.message).toContain(String(orderId));
      expect(await shop.pet(petId)).toMatchObject({ name: 'Rex', status: 'pending' });
    }
  });

  test('accepts its current status, another name and another category', async () => {
    const { petId } = await shop.placed();
    const { status, body } = await shop.change(petId, { name: 'Bella', categoryId: 2, status: 'pending' });
    expect(status).toBe(200);
    expect(body).toEqual({ id: petId, name: 'Bella', categoryId: 2, status: 'pending' });
  });

  test('can change again once the order has released it', async () => {
    const { orderId, petId } = await shop.placed();
    await shop.change(petId, { name: 'Bella' });
    await shop.move(orderId, 'cancel');
    expect((await shop.change(petId, { status: 'sold' })).body).toMatchObject({ name: 'Bella', status: 'sold' });
  });
});
