import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const PET = { name: 'Rex', categoryId: 1 };
const LIMITS = { perMinute: 1000, perDay: 1000 };

let stores = 100;
const issue = async (pets: number | null, storeId = ++stores) => {
  const key = await service.issueKey({ plan: 'enterprise', limits: { ...LIMITS, pets }, storeId });
  return {
    storeId,
    key,
    add: (status = 'available') => service.post('/v1/pets', { ...PET, status }, { key }),
    addMany: (count: number) =>
      service.post('/v1/pets/batch', { pets: Array.from({ length: count }, () => PET) }, { key }),
    usage: async () => (await service.get('/v1/usage', { key })).body.pets,
  };
};

describe('the pet limit of a key', () => {
  test('counts pets of every status, and deleting one makes room again', async () => {
    const { key, add } = await issue(3);
    const first = await add('available');
    expect([first.status, (await add('pending')).status, (await add('sold')).status]).toEqual([201, 201, 201]);
    const refused = await add();
    expectError(refused, 'store_full', 403);
    expect(refused.body.message).toBe(
      'The store has 3 pets; adding 1 would exceed the limit of 3. Delete pets, or ask the operator for a larger plan.',
    );
    await service.call('DELETE', `/v1/pets/${first.body.id}`, { key });
    expect((await add()).status).toBe(201);
  });

  test('accepts a batch that fits exactly, and no pet of a larger one', async () => {
    const { add, addMany, usage } = await issue(20);
    await add();
    expectError(await addMany(20), 'store_full', 403);
    expect(await usage()).toEqual({ limit: 20, used: 1, remaining: 19 });
    expect((await addMany(19)).status).toBe(201);
    expect(await usage()).toEqual({ limit: 20, used: 20, remaining: 0 });
  });

  test('admits exactly as many pets as fit when single pets and batches are sent together', async () => {
    const { add, addMany, usage } = await issue(50);
    const sent = Array.from({ length: 30 }, (_, index) => (index % 4 === 0 ? addMany(7) : add()));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 403)).toEqual([]);
    const { used } = await usage();
    expect(used).toBeLessThanOrEqual(50);
    while ((await add()).status === 201);
    expect(await usage()).toEqual({ limit: 50, used: 50, remaining: 0 });
  });

  test('belongs to the key: another key of the store with a larger limit can still add pets', async () => {
    const { storeId, add } = await issue(1);
    const unlimited = await issue(null, storeId);
    expect([(await add()).status, (await add()).status]).toEqual([201, 403]);
    expect((await unlimited.add()).status).toBe(201);
    expect(await unlimited.usage()).toEqual({ limit: null, used: 2, remaining: null });
    expect((await add()).status).toBe(403);
  });

  test('changes with the plan, from the next request', async () => {
    const { body } = await service.post('/v1/keys', {
      name: 'x',
      plan: 'enterprise',
      limits: { ...LIMITS, pets: 1 },
      storeId: ++stores,
    });
    const add = () => service.post('/v1/pets', PET, { key: body.key });
    expect([(await add()).status, (await add()).status]).toEqual([201, 403]);
    await service.call('PATCH', `/v1/keys/${body.id}`, { body: { plan: 'free' } });
    expect((await add()).status).toBe(201);
    expect((await service.get(`/v1/keys/${body.id}/usage`)).body.pets).toEqual({
      limit: 10_000,
      used: 2,
      remaining: 9998,
    });
  });

  test('does not apply to the admin key', async () => {
    expect((await service.get('/v1/usage')).body.pets).toMatchObject({ limit: null, remaining: null });
  });
});
