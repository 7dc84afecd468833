import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const issue = async (fields: object = {}): Promise<{ id: string; key: string }> =>
  (await service.post('/v1/keys', { name: 'x', plan: 'business', ...fields })).body;
const now = () => new Date(service.clock()).toISOString();

const deprecation = async () => {
  const { status, body } = await service.get('/v1/deprecations');
  expect(status).toBe(200);
  expect(body).toHaveLength(1);
  return body[0];
};

describe('listDeprecations', () => {
  test('shows the operation with its dates, and that nobody calls it', async () => {
    expect(await deprecation()).toEqual({
      operation: 'getPet',
      deprecatedSince: '2026-11-15T00:00:00.000Z',
      sunset: '2030-12-05T00:00:00.000Z',
      rehearsedDate: null,
      lastCalledAt: null,
      keys: [],
    });
  });

  test('shows the date that staging rehearses', async () => {
    const environment = { PETSTORE_ENVIRONMENT: 'staging', PETSTORE_REHEARSE_DATE: '2030-12-05' };
    const staging = await startService({ environment });
    try {
      const { body } = await staging.get('/v1/deprecations');
      expect(body).toMatchObject([{ operation: 'getPet', rehearsedDate: '2030-12-05T00:00:00.000Z' }]);
    } finally {
      await staging.stop();
    }
  });

  test('counts the calls of each key with the time of the last, latest caller first', async () => {
    const [one, other] = [await issue(), await issue({ storeId: 5 })];
    await service.get('/v1/pets/1', { key: one.key });
    const earlier = now();
    service.clock.advance(1000);
    await service.get('/v1/pets/1', { key: other.key });
    await service.get('/v1/pets/2', { key: other.key });
    expect(await deprecation()).toMatchObject({
      lastCalledAt: now(),
      keys: [
        { keyId: other.id, calls: 2, lastCalledAt: now() },
        { keyId: one.id, calls: 1, lastCalledAt: earlier },
      ],
    });
  });

  test('counts HEAD, 304 and every refusal of a known caller', async () => {
    const { id: petId } = (await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).body;
    const { id, key } = await issue();
    const path = `/v1/pets/${petId}`;
    const answers = [
      await service.get(path, { key }),
      await service.call('HEAD', path, { key }),
      await service.get(path, { key, headers: { 'If-None-Match': '*' } }),
      await service.get('/v1/pets/999999', { key }),
      await service.get('/v1/pets/007', { key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 304, 404, 404]);
    expect((await deprecation()).keys).toEqual([{ keyId: id, calls: 5, lastCalledAt: now() }]);
  });

  test('counts calls without the scope and over the limit', async () => {
    const narrow = await issue({ scopes: ['orders:read'] });
    const spent = await issue({ plan: 'enterprise', limits: { perMinute: 2, perDay: 9 } });
    await service.get('/v1/pets/1', { key: narrow.key });
    for (let sent = 0; sent < 5; sent += 1) await service.get('/v1/pets/1', { key: spent.key });
    const calls = (await deprecation()).keys.map(({ keyId, calls }: { keyId: string; calls: number }) => [
      keyId,
      calls,
    ]);
    expect(Object.fromEntries(calls)).toEqual({ [narrow.id]: 1, [spent.id]: 5 });
  });

  test('counts no other method or path, and no unknown caller', async () => {
    const { key } = await issue();
    await service.get('/v1/pets?ids=1', { key });
    await service.call('PUT', '/v1/pets/1', { key });
    await service.call('OPTIONS', '/v1/pets/1', { key });
    await service.get('/v1/pets/1/', { key });
    await service.get('/v1/pets/1', { key: null });
    expect((await deprecation()).keys).toEqual([]);
  });

  test('adds stored and pending counts, and keeps them after a restart and 30 days', async () => {
    const { id, key } = await issue();
    await service.get('/v1/pets/1', { key });
    await service.runJobs();
    await service.get('/v1/pets/1', { key });
    await service.restart();
    service.clock.advance(31 * 24 * 3_600_000);
    await service.get('/v1/pets/1', { key });
    await service.runJobs();
    service.clock.advance(1000);
    await service.get('/v1/pets/1', { key });
    expect((await deprecation()).keys).toEqual([{ keyId: id, calls: 4, lastCalledAt: now() }]);
  });

  test('still shows callers after the removal', async () => {
    service.clock.set('2030-12-05T00:00:00.000Z');
    const { id, key } = await issue();
    expectError(await service.get('/v1/pets/1', { key }), 'operation_removed', 410);
    expect((await deprecation()).keys).toEqual([{ keyId: id, calls: 1, lastCalledAt: now() }]);
  });

  test('requires ops:read', async () => {
    const { key } = await issue();
    expectError(await service.get('/v1/deprecations', { key }), 'insufficient_scope', 403);
  });
});
