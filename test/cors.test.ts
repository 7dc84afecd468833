import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CONTRACTS } from '../src/contracts.ts';
import { METHODS } from '../src/kernel/contract.ts';
import { expectSharedHeaders } from './expect-answer.ts';
import { pathOf } from './operation-request.ts';
import { type Service, STAGING, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ environment: STAGING });
});
afterAll(() => service.stop());

const ORIGIN = { Origin: 'https://shop.example' };

const preflight = (path: string, method = 'POST') =>
  service.call('OPTIONS', path, {
    key: null,
    headers: {
      ...ORIGIN,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });

const list = (headers: Headers, name: string) => (headers.get(name) ?? '').split(', ');

const PATHS = [...new Set(CONTRACTS.map((contract) => pathOf(contract)))];

describe('a preflight', () => {
  test.each([...PATHS, '/v1', '/v1/nothing', '/v1/pets/not-an-id', '/v1/pets/1/nothing'])(
    'of %s gets a 204 without a key',
    async (path) => {
      const answer = await preflight(path);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expectSharedHeaders(answer);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-max-age')).toBe('86400');
      expect(list(answer.headers, 'access-control-allow-headers')).toEqual([
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'If-Match',
        'If-None-Match',
        'Last-Event-ID',
      ]);
    },
  );

  test.each(PATHS)('of %s allows the methods that the path supports', async (path) => {
    const { headers } = await preflight(path);
    const methods = CONTRACTS.filter((contract) => pathOf(contract) === path).map(({ method }) => method);
    expect(methods.length).toBeGreaterThan(0);
    for (const method of methods) expect(list(headers, 'access-control-allow-methods')).toContain(method);
    expect(headers.get('allow')).toBe(headers.get('access-control-allow-methods') as string);
  });

  test('of an unknown path allows every method, so that a browser can read the 404', async () => {
    const { headers } = await preflight('/v1/nothing', 'DELETE');
    for (const method of METHODS) {
      expect(list(headers, 'access-control-allow-methods')).toContain(method);
    }
  });

  test('does not count towards the rate limit', async () => {
    for (let asked = 0; asked < 650; asked++) await preflight('/v1/pets');
    const { status, headers } = await service.get('/v1/pets', { key: null });
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([401, '599']);
  });
});

describe('a response to another origin', () => {
  const asks: [number, string, string, object][] = [
    [200, 'GET', '/v1/pets', {}],
    [201, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } }],
    [400, 'POST', '/v1/pets', { body: '{' }],
    [401, 'GET', '/v1/pets', { key: null }],
    [404, 'GET', '/v1/pets/999', {}],
    [404, 'GET', '/v1/nothing', {}],
    [405, 'DELETE', '/v1/pets', {}],
    [413, 'POST', '/v1/pets', { body: 'x'.repeat(70_000) }],
    [415, 'POST', '/v1/pets', { body: '{}', headers: { ...ORIGIN, 'Content-Type': 'text/plain' } }],
  ];
  test.each(asks)('with status %p to %s %s may be read, without credentials', async (status, method, path, more) => {
    const answer = await service.call(method, path, { headers: ORIGIN, ...more });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.has('access-control-allow-credentials')).toBeFalse();
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  const exposed = [
    ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'],
    ...['Retry-After', 'X-Request-Id', 'Cache-Control', 'Vary', 'X-Content-Type-Options'],
    ...['ETag', 'Link', 'Location', 'Deprecation', 'Sunset', 'Allow', 'WWW-Authenticate', 'Idempotent-Replayed'],
  ];
  test.each(exposed)('lets a browser read %s', async (name) => {
    for (const path of ['/v1/pets', '/v1/nothing']) {
      expect(list((await service.get(path, { headers: ORIGIN })).headers, 'access-control-expose-headers')).toContain(
        name,
      );
    }
  });
});

describe('without an Origin header', () => {
  const asks: [string, string, object][] = [
    ['GET', '/v1/pets', {}],
    ['POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } }],
    ['GET', '/v1/pets', { key: null }],
    ['GET', '/v1/nothing', {}],
    ['OPTIONS', '/v1/pets', {}],
  ];
  test.each(asks)(
    'the response to %s %s (%j) has no CORS headers, but varies by Origin',
    async (method, path, more) => {
      await service.call(method, path, { headers: ORIGIN, ...more });
      const answer = await service.call(method, path, more);
      expectSharedHeaders(answer);
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test('the response to OPTIONS lists the methods of the path', async () => {
    const { status, headers } = await service.call('OPTIONS', '/v1/pets');
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });
});
