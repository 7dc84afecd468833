import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createLimitProbe, type LimitProbe } from '../../../test/limit-probe.ts';
import { ADMIN_KEY, type Service, startService } from '../../../test/service.ts';

let service: Service;
let probe: LimitProbe;
beforeAll(async () => {
  service = await startService({ environment: { PETSTORE_TRUST_PROXY: '127.0.0.1' } });
  probe = createLimitProbe(service);
});
afterAll(() => service.stop());

const issue = async (fields: object = {}) => {
  const { key, ...shown } = (await service.post('/v1/keys', { name: 'Front desk', plan: 'pro', ...fields })).body;
  return { key: key as string, id: shown.id as string, shown };
};
const revoke = (id: string, key = ADMIN_KEY) => service.call('DELETE', `/v1/keys/${id}`, { key });
const events = (id: string) =>
  probe.rows(
    `SELECT * FROM events WHERE type = 'key.revoked' AND data LIKE '{"object":{"id":"' || CAST($1 AS text) || '"%' ORDER BY sequence`,
    id,
  );

describe('revokeKey', () => {
  test('returns 204 without a body', async () => {
    const { status, text, headers } = await revoke((await issue()).id);
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
  });

  test('revokes the key immediately, for every operation', async () => {
    const { id, key } = await issue();
    expect((await service.get('/v1/pets', { key })).status).toBe(200);
    await revoke(id);
    for (const path of ['/v1/pets', '/v1/keys/me', '/v1/usage', '/v1/nowhere']) {
      const { status, body, headers } = await service.get(path, { key });
      expect([status, body.code]).toEqual([401, 'invalid_api_key']);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
    }
  });

  test('leaves the key readable, with the time of its revocation', async () => {
    const { id, shown } = await issue();
    service.clock.advance(1234);
    await revoke(id);
    const revoked = { ...shown, revokedAt: new Date(service.clock()).toISOString() };
    expect((await service.get(`/v1/keys/${id}`)).body).toEqual(revoked);
    expect((await service.get('/v1/keys?limit=100')).body).toContainEqual(revoked);
    expect((await service.get(`/v1/keys/${id}/usage`)).status).toBe(200);
  });

  test('writes key.revoked in the store of the key, with actor and address', async () => {
    const { id, shown } = await issue({ storeId: 14 });
    const operator = await issue({ scopes: ['keys:write'] });
    const { headers } = await service.call('DELETE', `/v1/keys/${id}`, {
      key: operator.key,
      headers: { 'X-Forwarded-For': '192.0.2.7' },
    });
    const [event] = await events(id);
    expect(event).toMatchObject({
      store_id: 14,
      sequence: 2,
      occurred_at: service.clock(),
      actor_key_id: operator.id,
      address: '192.0.2.7',
      request_id: headers.get('x-request-id'),
    });
    const object = { ...shown, revokedAt: new Date(service.clock()).toISOString() };
    expect(JSON.parse(event.data)).toEqual({ object, previous: { revokedAt: null } });
  });

  test('returns 204 for a revoked key, changes nothing and writes no event', async () => {
    const { id } = await issue();
    await revoke(id);
    const { body: revoked } = await service.get(`/v1/keys/${id}`);
    service.clock.advance(1000);
    expect((await revoke(id)).status).toBe(204);
    expect((await service.get(`/v1/keys/${id}`)).body).toEqual(revoked);
    expect(await events(id)).toHaveLength(1);
  });

  test('revokes an expired key too, so that a later expiry cannot revive it', async () => {
    const { id } = await issue({ expiresAt: new Date(service.clock() + 1).toISOString() });
    service.clock.advance(1);
    expect((await revoke(id)).status).toBe(204);
    const { status } = await service.call('PATCH', `/v1/keys/${id}`, { body: { expiresAt: null } });
    expect(status).toBe(409);
  });

  test('persists after a restart', async () => {
    const { id, key } = await issue();
    await revoke(id);
    await service.restart();
    expect((await service.get('/v1/pets', { key })).status).toBe(401);
  });

  test('leaves other keys and the data of the key unchanged', async () => {
    const [one, other] = [await issue({ storeId: 15 }), await issue({ storeId: 15 })];
    const { body: pet } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key: one.key });
    await revoke(one.id);
    expect((await service.get('/v1/pets', { key: other.key })).body).toEqual([pet]);
  });

  test('lets a key revoke itself', async () => {
    const { id, key } = await issue({ scopes: ['keys:write'] });
    expect((await revoke(id, key)).status).toBe(204);
    expect((await revoke(id, key)).status).toBe(401);
    expect(await events(id)).toMatchObject([{ actor_key_id: id }]);
  });
});

describe('a key that cannot be revoked', () => {
  test('is the admin key: 409 admin_key, and it continues to work', async () => {
    const { id } = (await service.get('/v1/keys/me')).body;
    const { status, body } = await revoke(id);
    expect([status, body.code]).toEqual([409, 'admin_key']);
    expect((await service.get('/v1/keys/me')).body.revokedAt).toBeNull();
    expect(await events(id)).toEqual([]);
  });

  test.each(['key_000000000000000000000000', 'key_', '1'])('is an unknown key: 404 for %s', async (id) => {
    const { status, body } = await revoke(id);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});
