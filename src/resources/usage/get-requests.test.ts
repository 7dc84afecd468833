import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ADMIN_KEY } from '../../../test/admin-key.ts';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const makeKey = async (fields: object = {}): Promise<{ id: string; key: string }> =>
  (await service.post('/v1/keys', { name: 'x', plan: 'pro', ...fields })).body;

const requestsOf = async (id: string) => (await service.get(`/v1/keys/${id}/requests`)).body.requests;

describe('getKeyRequests', () => {
  test("shows the key's requests, newest first, including refused ones", async () => {
    const { id, key } = await makeKey();
    await service.get('/v1/pets?name=Rex', { key });
    service.clock.advance(1000);
    const refused = await service.post('/v1/pets', { name: '' }, { key });
    const { body } = await service.get(`/v1/keys/${id}/requests`);
    expect(body).toEqual({
      keyId: id,
      since: expect.any(String),
      requests: [
        {
          timestamp: new Date(service.clock()).toISOString(),
          method: 'POST',
          path: '/v1/pets',
          status: 400,
          code: 'invalid_request',
          durationMs: expect.any(Number),
          address: '127.0.0.1',
          requestId: refused.headers.get('x-request-id'),
        },
        expect.objectContaining({ method: 'GET', path: '/v1/pets', status: 200, code: null }),
      ],
    });
    expect(body.requests[0].durationMs).toBeGreaterThanOrEqual(0);
  });

  test('shows refusals by a limit, a scope and an unknown path', async () => {
    const { id, key } = await makeKey({ plan: 'enterprise', limits: { perMinute: 2, perDay: 100 } });
    await service.get('/v1/nowhere', { key });
    await service.get('/v1/keys', { key });
    await service.get('/v1/pets', { key });
    expect((await requestsOf(id)).map(({ code }: { code: string }) => code)).toEqual([
      'rate_limit_exceeded',
      'insufficient_scope',
      'route_not_found',
    ]);
  });

  test('leaves out requests without a valid key', async () => {
    const { id, key } = await makeKey();
    await service.get('/v1/pets', { key: `${key.slice(0, -1)}!` });
    await service.post(`/v1/keys/${id}/rotate`, {});
    await service.get('/v1/pets', { key });
    expect(await requestsOf(id)).toEqual([]);
  });

  test('shows no secret in a path, however long the path is', async () => {
    const { id, key } = await makeKey();
    const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    for (const secret of [key, encoded, ADMIN_KEY])
      for (const before of [0, 150, 170, 199]) {
        for (const after of [0, 2000])
          await service.get(`/v1/${'x'.repeat(before)}${secret}${'y'.repeat(after)}`, { key });
      }
    const requests = await requestsOf(id);
    expect(requests).toHaveLength(24);
    expect(requests.filter(({ path }: { path: string }) => /ps_live_…|\(admin key\)/.test(path))).toHaveLength(18);
    for (const { path } of requests) {
      expect(path.length).toBeLessThanOrEqual(200);
      for (const secret of [key, encoded, ADMIN_KEY]) expect(path).not.toContain(secret.slice(8, 16));
    }
  });

  test('forgets requests after an hour, and says since when it knows all of them', async () => {
    const { id, key } = await makeKey();
    await service.get('/v1/pets', { key });
    service.clock.advance(3_600_000);
    expect(await requestsOf(id)).toHaveLength(1);
    service.clock.advance(1);
    const { body } = await service.get(`/v1/keys/${id}/requests`);
    expect(body).toEqual({ keyId: id, since: new Date(service.clock() - 3_600_000).toISOString(), requests: [] });
  });

  test('shows the address from a trusted proxy', async () => {
    const proxied = await startService({ environment: { PETSTORE_TRUST_PROXY: '127.0.0.1' } });
    const { body } = await proxied.post('/v1/keys', { name: 'x', plan: 'pro' });
    for (const spoofed of ['', `${'1.2.3.4, '.repeat(50)}`]) {
      await proxied.get('/v1/pets', { key: body.key, headers: { 'X-Forwarded-For': `${spoofed}203.0.113.7` } });
    }
    const { requests } = (await proxied.get(`/v1/keys/${body.id}/requests`)).body;
    expect(requests.map(({ address }: { address: string }) => address)).toEqual(['203.0.113.7', '203.0.113.7']);
    await proxied.stop();
  });

  test('refuses an unknown key, and callers without keys:write', async () => {
    expectError(await service.get('/v1/keys/key_000000000000000000000000/requests'), 'not_found', 404);
    const { id, key } = await makeKey();
    expectError(await service.get(`/v1/keys/${id}/requests`, { key }), 'insufficient_scope', 403);
  });
});

describe('getRequests', () => {
  test('shows the calling key its own requests, even if it is over its limit', async () => {
    const { id, key } = await makeKey({ plan: 'enterprise', limits: { perMinute: 1, perDay: 100 } });
    for (const _ of [1, 2]) await service.get('/v1/pets', { key });
    const { status, body } = await service.get('/v1/usage/requests', { key });
    expect([status, body.keyId]).toEqual([200, id]);
    expect(body.requests.map(({ status }: { status: number }) => status)).toEqual([429, 200]);
  });

  test('shows what this process handled, so a restart empties it', async () => {
    const { key } = await makeKey();
    await service.get('/v1/pets', { key });
    await service.restart();
    const { body } = await service.get('/v1/usage/requests', { key });
    expect(body).toEqual({ keyId: body.keyId, since: new Date(service.clock()).toISOString(), requests: [] });
  });
});
