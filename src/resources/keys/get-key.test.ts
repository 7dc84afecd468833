import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const issue = async (fields: object = {}) => {
  const { key, ...shown } = (await service.post('/v1/keys', { name: 'Front desk', plan: 'pro', ...fields })).body;
  return { key: key as string, shown };
};

describe('getKey', () => {
  test('returns the key as it was created, without its secret', async () => {
    const { key, shown } = await issue({ expiresAt: '2030-01-31T12:00:00.000Z', scopes: ['ops:read'] });
    const { status, body, text } = await service.get(`/v1/keys/${shown.id}`);
    expect([status, body]).toEqual([200, shown]);
    expect(text).not.toContain(key.slice(8, 38));
  });

  test('returns a key of another store', async () => {
    const sent = '{"name":"x","plan":"free","storeId":9223372036854775807}';
    const { id } = (await service.post('/v1/keys', sent)).body;
    expect((await service.get(`/v1/keys/${id}`)).text).toContain('"storeId":9223372036854775807,');
  });

  test('returns an expired key', async () => {
    const { key, shown } = await issue({ expiresAt: new Date(service.clock() + 1).toISOString() });
    service.clock.advance(1);
    expect((await service.get('/v1/pets', { key })).status).toBe(401);
    expect((await service.get(`/v1/keys/${shown.id}`)).body).toEqual(shown);
  });

  test('returns the admin key with its limits and every scope', async () => {
    const { id } = (await service.get('/v1/keys/me')).body;
    const { status, body } = await service.get(`/v1/keys/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'admin', plan: 'enterprise', storeId: 1, prefix: '', last4: 'ests' });
    expect(body.limits).toEqual({ perMinute: 100_000_000, perDay: 10_000_000_000, pets: null });
  });

  test('shows when the key was last used, once that is stored', async () => {
    const { key, shown } = await issue();
    service.clock.advance(5000);
    await service.get('/v1/pets', { key });
    await service.runJobs();
    const { lastUsedAt } = (await service.get(`/v1/keys/${shown.id}`)).body;
    expect(lastUsedAt).toBe(new Date(service.clock()).toISOString());
  });

  test('answers HEAD with the same headers and no body', async () => {
    const path = `/v1/keys/${(await issue()).shown.id}`;
    const { status, text, headers } = await service.call('HEAD', path);
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('content-length')).toBe(String((await service.get(path)).text.length));
  });

  test.each([
    ['does not exist', 'key_000000000000000000000000'],
    ['is too short', 'key_00000000000000000000000'],
    ['is too long', 'key_0000000000000000000000000'],
    ['has another prefix', 'dlv_000000000000000000000000'],
    ['contains other characters', 'key_00000000000000000000000-'],
    ['contains SQL', encodeURIComponent("' OR '1'='1")],
    ['is a number', '1'],
  ])('returns 404 not_found for an id that %s', async (_, id) => {
    const { status, body } = await service.get(`/v1/keys/${id}`);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  test('does not accept a secret as an id', async () => {
    const { key } = await issue();
    expect((await service.get(`/v1/keys/${key}`)).status).toBe(404);
  });
});

describe('getKeyName', () => {
  const follower = async () => (await issue({ scopes: ['events:read'] })).key;

  test('returns the name and nothing else to a key of the same store that may read events', async () => {
    const { id } = (await issue({ name: 'Anna' })).shown;
    const { status, body } = await service.get(`/v1/keys/${id}/name`, { key: await follower() });
    expect([status, body]).toEqual([200, { id, name: 'Anna' }]);
  });

  test('returns the name of a revoked key, because its changes remain', async () => {
    const { id } = (await issue({ name: 'Former colleague' })).shown;
    await service.call('DELETE', `/v1/keys/${id}`);
    const { body } = await service.get(`/v1/keys/${id}/name`, { key: await follower() });
    expect(body.name).toBe('Former colleague');
  });

  test('returns 404 not_found for a key of another store, even to the admin key', async () => {
    const { id } = (await issue({ storeId: 7 })).shown;
    const { status, body } = await service.get(`/v1/keys/${id}/name`);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  test('returns 403 to a key without events:read', async () => {
    const { key, shown } = await issue({ scopes: ['pets:read', 'orders:read'] });
    expect((await service.get(`/v1/keys/${shown.id}/name`, { key })).status).toBe(403);
  });
});
