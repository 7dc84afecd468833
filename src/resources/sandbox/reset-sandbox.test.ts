import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { changeRows, readRows } from '../../../test/database.ts';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, STAGING, startService } from '../../../test/service.ts';
import { waitFor } from '../../../test/wait-for.ts';

const MAX_PETS = 62;

let service: Service;
beforeAll(async () => {
  service = await startService({ environment: STAGING, maxPets: MAX_PETS });
});
afterAll(() => service.stop());

const SCOPES = ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'categories:write'];

const issue = async (): Promise<{ key: string; storeId: number }> =>
  (await service.post('/v1/keys', { name: 'x', plan: 'business', scopes: SCOPES })).body;

const leaveHalfDone = (storeId: number) =>
  changeRows(service.place, `UPDATE stores SET reset_at = ${service.clock()} WHERE id = ${storeId}`);

describe('a store that is being reset', () => {
  test('refuses only changes, for a moment', async () => {
    const { key, storeId } = await issue();
    const [pet] = (await service.get('/v1/pets?limit=1&status=available', { key })).body;
    await leaveHalfDone(storeId);
    const changes = [
      service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key }),
      service.call('PATCH', `/v1/pets/${pet.id}`, { key, body: { name: 'Rex' } }),
      service.call('DELETE', `/v1/pets/${pet.id}`, { key }),
      service.post('/v1/store/orders', { petId: pet.id }, { key }),
      service.post('/v1/categories', { name: 'Ants' }, { key }),
    ];
    for (const response of await Promise.all(changes)) {
      expectError(response, 'unavailable', 503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.body.message).toContain('being reset');
    }
    expect((await service.get('/v1/pets?limit=100', { key })).body).toHaveLength(60);
    expect((await service.get('/v1/store/orders', { key })).status).toBe(200);
    const other = await issue();
    expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key: other.key })).status).toBe(201);
  });

  test('is complete soon after its process stopped, and accepts changes again', async () => {
    const { key, storeId } = await issue();
    await leaveHalfDone(storeId);
    const before = (await service.get('/v1/pets?limit=1', { key })).body;
    service.clock.advance(5001);
    await service.runJobs();
    const after = await service.get('/v1/pets?limit=100', { key });
    expect(after.body).toHaveLength(60);
    expect(after.body[0].id).toBeGreaterThan(before[0].id);
    expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key })).status).toBe(201);
  });
});

/** Repeats the request, because a reset may take longer than a request's timeout. */
const reset = (key: string, headers: Record<string, string> = {}) =>
  waitFor(
    'the reset is done',
    () => service.post('/v1/sandbox/reset', undefined, { key, headers }),
    ({ status }) => status !== 503,
  );

describe('resetSandbox', () => {
  const petIds = async (storeId: number): Promise<number[]> =>
    (await readRows(service.place, `SELECT id FROM pets WHERE store_id = ${storeId} ORDER BY id`)).map(({ id }) => id);

  test('with an idempotency key runs once, and is replayed when complete', async () => {
    const { key, storeId } = await issue();
    const ask = () => reset(key, { 'Idempotency-Key': 'once' });
    expect((await ask()).status).toBe(204);
    const ids = await petIds(storeId);
    const again = await ask();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([204, 'true']);
    expect(await petIds(storeId)).toEqual(ids);

    await leaveHalfDone(storeId);
    expect((await ask()).status).toBe(204);
    expect(await petIds(storeId)).not.toEqual(ids);
    expect(await petIds(storeId)).toHaveLength(60);
  });

  test('frees the ids of created categories', async () => {
    const { key } = await issue();
    const add = async () => (await service.post('/v1/categories', { name: 'Ants' }, { key })).body.id;
    expect([await add(), await add()]).toEqual([1000, 1001]);
    await reset(key);
    expect(await add()).toBe(1000);
  });
});

describe('a sandbox', () => {
  test('refuses a pet beyond its limit, and explains what to do next', async () => {
    const { key } = await issue();
    const add = () => service.post('/v1/pets', { name: 'Rex', categoryId: 1, status: 'sold' }, { key });
    const { body: first } = await add();
    expect((await add()).status).toBe(201);
    const response = await add();
    expectError(response, 'store_full', 403);
    expect(response.body.message).toBe(
      'The store has 62 pets; adding 1 would exceed the limit of 62. ' +
        'Delete pets, reset the sandbox (POST /sandbox/reset), or ask the operator for a larger plan.',
    );
    await service.call('DELETE', `/v1/pets/${first.id}`, { key });
    expect((await add()).status).toBe(201);
    await reset(key);
    expect((await add()).status).toBe(201);
  });

  test('refuses changes and resets beyond its event limit', async () => {
    const small = await startService({ environment: STAGING, maxEvents: 70 });
    const { key } = (await small.post('/v1/keys', { name: 'x', plan: 'business' })).body;
    const add = () => small.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
    const [pet] = (await small.get('/v1/pets?limit=1&status=available', { key })).body;
    const statuses = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await add()).status);
    const taken = statuses.filter((status) => status === 201).length;
    // Creating the sample pets and the key has already used about 60 of the 70 allowed events, so only some of the 12
    // pets fit.
    expect([taken > 5, statuses.slice(taken).every((status) => status === 403)]).toEqual([true, true]);
    expectError(await add(), 'store_full', 403);
    expectError(await small.post('/v1/sandbox/reset', undefined, { key }), 'store_full', 403);
    expectError(await small.call('DELETE', `/v1/pets/${pet.id}`, { key }), 'store_full', 403);
    expect((await small.get('/v1/pets', { key })).status).toBe(200);
    await small.stop();
  });

  test('has limits that production does not have', async () => {
    const production = await startService({ maxPets: 1 });
    for (let count = 0; count < 3; count += 1) {
      expect((await production.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
    }
    await production.stop();
  });
});
