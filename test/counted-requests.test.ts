import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from './expect-answer.ts';
import { createLimitProbe, type LimitProbe, left, shown, together } from './limit-probe.ts';
import { askOnce } from './raw-http.ts';
import { type Service, startService, type TestResponse } from './service.ts';

let service: Service;
let probe: LimitProbe;
beforeEach(async () => {
  service = await startService({ environment: { PETSTORE_TRUST_PROXY: '127.0.0.1' } });
  probe = createLimitProbe(service);
});
afterEach(() => service.stop());

const LIMIT_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
];
const PREFLIGHT = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' };

describe('every counted request costs exactly one', () => {
  const text = { 'Content-Type': 'text/plain' };
  const costly: [number, string, (key: string) => Promise<TestResponse>][] = [
    [200, 'a list', (key) => service.get('/v1/pets', { key })],
    [200, 'HEAD', (key) => service.call('HEAD', '/v1/pets', { key })],
    [201, 'a new pet', (key) => service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key })],
    [304, 'an unchanged pet', (key) => service.get('/v1/pets/1', { key, headers: { 'If-None-Match': '*' } })],
    [400, 'a body that is not JSON', (key) => service.post('/v1/pets', '{', { key })],
    [400, 'a body with wrong fields', (key) => service.post('/v1/pets', {}, { key })],
    [400, 'a wrong parameter', (key) => service.get('/v1/pets?limit=0', { key })],
    [400, 'a damaged cursor', (key) => service.get('/v1/pets?cursor=x', { key })],
    [403, 'a missing scope', (key) => service.post('/v1/keys', { name: 'x', plan: 'free' }, { key })],
    [404, 'a path that does not exist', (key) => service.get('/v1/nowhere', { key })],
    [404, 'a pet that does not exist', (key) => service.get('/v1/pets/999999', { key })],
    [404, 'an invalid ID', (key) => service.get('/v1/pets/007', { key })],
    [405, 'a method that the path does not support', (key) => service.call('PUT', '/v1/pets', { key })],
    [405, 'an unknown method', (key) => service.call('PROPFIND', '/v1/pets', { key })],
    [413, 'a body that is too large', (key) => service.post('/v1/pets', ' '.repeat(70_000), { key })],
    [415, 'a body of another type', (key) => service.post('/v1/pets', 'x', { key, headers: text })],
  ];
  test.each(costly)('%d: %s', async (status, _, send) => {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const key = await service.issueKey({ plan: 'pro' });
    await probe.ask(key);
    const response = await send(key);
    expect(response.status).toBe(status);
    expect(left(response)).toEqual([298, 9998]);
    expect(left(await probe.ask(key))).toEqual([297, 9997]);
  });

  test('410: an operation that was removed', async () => {
    service.clock.set('2030-12-05T00:00:00.000Z');
    const key = await service.issueKey({ plan: 'pro' });
    const response = await service.get('/v1/pets/1', { key });
    expect([response.status, left(response)]).toEqual([410, [299, 9999]]);
    expect(left(await probe.ask(key))).toEqual([298, 9998]);
  });

  test('401: in the window of the address', async () => {
    expect(left(await probe.stranger('192.0.2.1'))).toEqual([599]);
    const unknown = await service.get('/v1/nowhere', { key: null, headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect([unknown.status, left(unknown)]).toEqual([401, [598]]);
  });

  test('429: is not counted', async () => {
    const key = await probe.custom(5, 3);
    await probe.codes(key, 3);
    expect(left(await probe.ask(key))).toEqual([2, 0]);
    expect(left(await probe.ask(key))).toEqual([2, 0]);
  });
});

describe('a preflight', () => {
  test.each(['/v1/pets', '/v1/pets/1', '/v1/nowhere'])(
    'of %s costs nothing and still shows the limits',
    async (path) => {
      const key = await probe.custom(5);
      for (let sent = 0; sent < 3; sent += 1) {
        const response = await service.call('OPTIONS', path, { key, headers: PREFLIGHT });
        expect(response.status).toBe(204);
        for (const name of LIMIT_HEADERS) expect(response.headers.get(name)).toMatch(/\d/);
        expect(shown(response)).toMatchObject({ limit: 600, remaining: 600 });
      }
      expect(shown(await probe.ask(key)).remaining).toBe(4);
      expect(shown(await service.get(path, { key: null })).remaining).toBe(599);
    },
  );

  test('is answered even when the key is banned and the address has no requests left', async () => {
    const key = await probe.custom(1);
    await probe.codes(key, 2);
    await Promise.all(Array.from({ length: 601 }, () => service.get('/v1/pets', { key: null })));
    const response = await service.call('OPTIONS', '/v1/pets', { key, headers: PREFLIGHT });
    expect([response.status, shown(response).remaining]).toEqual([204, 0]);
  });
});

test('a request with two Host headers costs its address one request, and shows that window', async () => {
  const request = 'GET /v1/pets HTTP/1.1\r\nHost: one\r\nHost: two\r\n\r\n';
  const response = await askOnce(service.port, request);
  expect([response.status, shown(response).limit, shown(response).remaining]).toEqual([400, 600, 599]);
  expect(shown(await service.get('/v1/pets', { key: null })).remaining).toBe(598);
});

describe('outside /v1', () => {
  const paths = ['/', '/docs', '/openapi.json', '/healthz', '/readyz', '/nowhere', '/v1x', '/v10/pets'];
  test.each(paths)('%s counts in no API window and has no limit headers', async (path) => {
    const key = await probe.custom(5);
    for (const sent of [key, null, 'nonsense']) {
      const { headers } = await service.get(path, { key: sent });
      for (const name of LIMIT_HEADERS) expect(headers.get(name)).toBeNull();
    }
    expect(shown(await probe.ask(key)).remaining).toBe(4);
    expect(shown(await service.get('/v1/pets', { key: null })).remaining).toBe(599);
  });

  test('a banned key is answered like any other caller', async () => {
    const key = await probe.custom(1);
    expect(await probe.codes(key, 2)).toEqual(['admitted', 'api_key_banned']);
    expect((await service.get('/healthz', { key })).status).toBe(200);
  });
});

describe('pages', () => {
  const page = (path: string, from: string) => service.get(path, { key: null, headers: { 'X-Forwarded-For': from } });
  const spend = async (from: string) => {
    const counts = await together(300, () => page('/', from));
    for (const [code, count] of Object.entries(await together(310, () => page('/llms.txt', from)))) {
      counts[code] = (counts[code] ?? 0) + count;
    }
    return counts;
  };

  test('are limited to 600 a minute per address, then 429 until the minute is over', async () => {
    expect(await spend('192.0.2.1')).toEqual({ admitted: 600, rate_limit_exceeded: 10 });
    service.clock.advance(58_500);
    for (const path of ['/', '/docs', '/docs/errors', '/openapi.json']) {
      const response = await page(path, '192.0.2.1');
      expectError(response, 'rate_limit_exceeded', 429);
      expect(response.headers.get('retry-after')).toBe('2');
    }
    service.clock.advance(1500);
    expect((await page('/', '192.0.2.1')).status).toBe(200);
  });

  test('have a separate limit per address, where a /64 IPv6 network is one address', async () => {
    await spend('2001:db8:1:2::1');
    expect((await page('/', '2001:db8:1:2:ffff::9')).status).toBe(429);
    expect((await page('/', '2001:db8:1:3::1')).status).toBe(200);
    expect((await page('/', '192.0.2.1')).status).toBe(200);
  });

  test('that do not exist have a separate limit of 600 a minute', async () => {
    expect(await together(610, () => page('/nowhere', '192.0.2.1'))).toEqual({
      route_not_found: 600,
      rate_limit_exceeded: 10,
    });
    expect(await spend('192.0.2.1')).toEqual({ admitted: 600, rate_limit_exceeded: 10 });
  });

  test('with a valid key are limited to 600 a minute per key, whatever the address has left', async () => {
    await spend('192.0.2.1');
    const key = await probe.custom(5);
    const read = (secret: string, from: string) =>
      service.get('/llms.txt', { key: secret, headers: { 'X-Forwarded-For': from } });
    expect(await together(610, () => read(key, '192.0.2.1'))).toEqual({ admitted: 600, rate_limit_exceeded: 10 });
    expect((await read(key, '192.0.2.2')).status).toBe(429);
    expect((await page('/', '192.0.2.2')).status).toBe(200);
    expect(shown(await probe.ask(key)).remaining).toBe(4);
    expect((await read('ps_live_nothing', '192.0.2.1')).status).toBe(429);
    expect((await service.get('/v1/usage', { key })).body.hours.at(-1)).toMatchObject({ total: 1 });
  });

  test('do not count against the API, or vice versa', async () => {
    await spend('192.0.2.1');
    expect(left(await probe.stranger('192.0.2.1'))).toEqual([599]);
    await together(600, () => probe.stranger('192.0.2.2'));
    expect((await page('/', '192.0.2.2')).status).toBe(200);
  });

  test('leave no row in the database', async () => {
    await together(20, () => page('/', '192.0.2.1'));
    await service.runJobs();
    expect(await probe.rows("SELECT subject FROM windows WHERE subject LIKE '%192.0.2.1%'")).toEqual([]);
    await probe.stranger('192.0.2.1');
    await service.runJobs();
    expect(await probe.rows("SELECT subject FROM windows WHERE subject LIKE '%192.0.2.1%'")).toHaveLength(1);
  });

  test('for health checks are never rate-limited', async () => {
    await spend('192.0.2.1');
    for (const path of ['/healthz', '/readyz']) {
      const pages = await Promise.all(Array.from({ length: 700 }, () => page(path, '192.0.2.1')));
      expect(pages.filter(({ status }) => status !== 200)).toEqual([]);
    }
  });
});
