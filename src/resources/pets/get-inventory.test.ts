import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('getInventory', () => {
  test('counts nothing in an empty store', async () => {
    expect((await service.get('/v1/store/inventory')).body).toEqual({ available: 0, pending: 0, sold: 0 });
  });

  test('counts the pets by status, without refused ones', async () => {
    const statuses = ['available', 'sold', 'available', 'pending', 'available', 'dead'];
    await Promise.all(statuses.map((status) => service.post('/v1/pets', { name: 'Rex', categoryId: 1, status })));
    expect((await service.get('/v1/store/inventory')).body).toEqual({ available: 3, pending: 1, sold: 1 });
  });

  test('counts only the pets of the caller’s own store', async () => {
    const key = await service.issueKey({ storeId: 2 });
    expect((await service.get('/v1/store/inventory', { key })).body).toEqual({ available: 0, pending: 0, sold: 0 });
  });
});
