import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

const addChanged = async (): Promise<number> => {
  const id = await shop.addPet();
  await shop.change(id, { name: 'Bella' });
  return id;
};

const METHODS = ['PATCH', 'DELETE'] as const;

const guarded = (method: string, id: unknown, tag: string) =>
  service.call(method, `/v1/pets/${id}`, {
    headers: { 'If-Match': tag },
    ...(method === 'PATCH' ? { body: { name: 'Coco' } } : {}),
  });

describe.each(METHODS)('If-Match on %s of a pet', (method) => {
  test.each(['"2"', '*', ' * ', '"1", "2"', '"2","7"', 'W/"2", "2"', '"2",', '"a,b", "2"'])(
    'allows the change: %s',
    async (tag) => {
      expect((await guarded(method, await addChanged(), tag)).status).toBe(method === 'PATCH' ? 200 : 204);
    },
  );

  test.each(['"1"', '"3"', 'W/"2"', '"1", "3"', '""', '"*"', '"02"', '"a,b"'])(
    'refuses the change to another version: %s',
    async (tag) => {
      const id = await addChanged();
      const answer = await guarded(method, id, tag);
      expectError(answer, 'precondition_failed', 412);
      expect(answer.body.message).toContain('"2"');
      expect(await shop.pet(id)).toMatchObject({ name: 'Bella', version: '"2"' });
    },
  );

  test.each(['2', '"2', '2"', '', ',', '"1" "2"', '*, "2"', '"2", *', 'w/"2"', '"2"x', '"2""', "'2'", '"2 "'])(
    'is refused if it is malformed: %p',
    async (tag) => {
      const id = await addChanged();
      const answer = await guarded(method, id, tag);
      expectError(answer, 'invalid_request', 400);
      expect(answer.body.message).toStartWith('If-Match: ');
      expect((await shop.pet(id)).version).toBe('"2"');
    },
  );

  test.each(['"1"', '*'])('is ignored for a missing pet, which returns 404: %s', async (tag) => {
    expectError(await guarded(method, 999_999, tag), 'not_found', 404);
  });

  test('is checked only for a valid pet id', async () => {
    expectError(await guarded(method, 'abc', '2'), 'not_found', 404);
    expectError(await guarded(method, 999_999, '2'), 'invalid_request', 400);
  });

  test('is checked before an order that holds the pet', async () => {
    const { petId } = await shop.placed();
    expectError(await guarded(method, petId, '"1"'), 'precondition_failed', 412);
  });

  test('allows only one of many changes to the same version', async () => {
    const id = await addChanged();
    const answers = await Promise.all(Array.from({ length: 40 }, () => guarded(method, id, '"2"')));
    const refused = method === 'PATCH' ? 412 : 404;
    expect(answers.map(({ status }) => status).sort()).toEqual([
      method === 'PATCH' ? 200 : 204,
      ...Array.from({ length: 39 }, () => refused),
    ]);
  });
});

describe('If-Match on an empty change', () => {
  test('is still checked', async () => {
    const id = await addChanged();
    const ask = (tag: string) => shop.change(id, {}, { 'If-Match': tag });
    expect((await ask('"2"')).headers.get('etag')).toBe('"2"');
    expectError(await ask('"1"'), 'precondition_failed', 412);
  });

  test('is ignored by operations that do not support it', async () => {
    expect((await service.get('/v1/pets', { headers: { 'If-Match': 'nonsense' } })).status).toBe(200);
  });
});

describe('If-None-Match after a change', () => {
  test('returns the new version to a caller with the old one', async () => {
    const id = await addChanged();
    const ask = (tag: string) => service.get(`/v1/pets/${id}`, { headers: { 'If-None-Match': tag } });
    expect((await ask('"1"')).status).toBe(200);
    expect((await ask('"2"')).status).toBe(304);
  });

  test('returns the new version after an order has reserved the pet', async () => {
    const { petId } = await shop.placed();
    expect((await service.get(`/v1/pets?ids=${petId}`, { headers: { 'If-None-Match': '"1"' } })).body).toEqual([
      { id: petId, name: 'Rex', categoryId: 1, status: 'pending' },
    ]);
  });
});
