import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { FailureCode } from '../src/kernel/failure.ts';
import { expectError, expectProblem, expectSharedHeaders } from './expect-answer.ts';
import { ADMIN_KEY, type Ask, type Service, startService } from './service.ts';

const headers = { Accept: 'application/problem+json' };

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const post = (path: string, body: unknown, ask: Ask = {}) =>
  service.post(path, body, { ...ask, headers: { ...headers, ...ask.headers } });
const get = (path: string, ask: Ask = {}) => service.get(path, { ...ask, headers: { ...headers, ...ask.headers } });

describe('problem details', () => {
  test('name a field of the body by its pointer', async () => {
    const answer = await post('/v1/pets', { name: '', status: 'asleep' });
    expect(expectProblem(answer, 'invalid_request')).toEqual([
      { pointer: '#/name', detail: 'must not be empty or only white space' },
      { pointer: '#/categoryId', detail: 'is required' },
      { pointer: '#/status', detail: 'must be one of available, pending, sold' },
    ]);
  });

  test('name a nested field and an item of a list', async () => {
    const limits = { perMinute: 0, perDay: 1 };
    const answer = await post('/v1/keys', { name: 'x', plan: 'enterprise', limits, scopes: ['pets:read', 'pets:fly'] });
    const errors = expectProblem(answer, 'invalid_request') ?? [];
    expect(errors.map(({ pointer }) => pointer)).toEqual(['#/limits/perMinute', '#/scopes/1']);
  });

  test('name the body itself', async () => {
    const errors = expectProblem(await post('/v1/pets', []), 'invalid_request');
    expect(errors).toEqual([{ pointer: '#', detail: 'must be a JSON object' }]);
  });

  test('name a field with a past time or a private address', async () => {
    const past = await post('/v1/keys', { name: 'x', plan: 'pro', expiresAt: '2001-01-01T00:00:00Z' });
    expect(expectProblem(past, 'invalid_request')).toEqual([
      { pointer: '#/expiresAt', detail: 'must be in the future' },
    ]);
    const here = await post('/v1/webhooks', { url: 'https://127.0.0.1/' });
    expect(expectProblem(here, 'invalid_request')).toEqual([{ pointer: '#/url', detail: expect.any(String) }]);
  });

  test('name query parameters', async () => {
    const answer = await get('/v1/pets?limit=0&status=asleep');
    expect(expectProblem(answer, 'invalid_parameter')).toEqual([
      { parameter: 'status', detail: 'must be one of available, pending, sold' },
      { parameter: 'limit', detail: 'must be an integer from 1 to 100' },
    ]);
    const twice = await get('/v1/pets?limit=1&limit=1');
    expect(expectProblem(twice, 'invalid_parameter')).toEqual([
      { parameter: 'limit', detail: 'must be given only once' },
    ]);
    const cursor = await get('/v1/pets?cursor=x');
    expect(expectProblem(cursor, 'invalid_cursor')).toEqual([{ parameter: 'cursor', detail: expect.any(String) }]);
  });

  const badHeaders: [string, string, FailureCode, string, string][] = [
    ['POST', '/v1/pets', 'invalid_request', 'Idempotency-Key', '"'],
    ['PATCH', '/v1/pets/1', 'invalid_request', 'If-Match', '7'],
    ['GET', '/v1/events/stream', 'invalid_cursor', 'Last-Event-ID', 'evt_x'],
  ];
  test.each(badHeaders)('name a header of %s %s', async (method, path, code, header, value) => {
    const body = method === 'GET' ? undefined : { name: 'Rex', categoryId: 1 };
    const answer = await service.call(method, path, { body, headers: { ...headers, [header]: value } });
    expect(expectProblem(answer, code)).toEqual([{ header, detail: expect.any(String) }]);
  });

  test('have the message of the Error as their detail', async () => {
    for (const body of [{ status: 'asleep' }, [], { name: 'x', categoryId: 'y' }]) {
      const plain = await service.post('/v1/pets', body);
      expect((await post('/v1/pets', body)).body.detail).toBe(plain.body.message);
    }
  });
});

test('a refusal of the whole request names no field', async () => {
  expect(expectProblem(await get('/v1/pets/77'), 'not_found')).toBeUndefined();
  expect(expectProblem(await get('/v1/nothing'), 'route_not_found')).toBeUndefined();
  expect(expectProblem(await get('/v1/pets', { key: null }), 'missing_api_key')).toBeUndefined();
});

test('problem details keep the headers of a refusal, and do not affect successes', async () => {
  const refused = await get('/v1/pets', { key: null });
  expectSharedHeaders(refused);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
  const answered = await post('/v1/pets', { name: 'Rex', categoryId: 1 });
  expect([answered.status, answered.headers.get('content-type')]).toEqual([201, 'application/json']);
  expect((await service.call('DELETE', '/v1/nothing', { headers })).headers.get('content-type')).toBe(
    'application/problem+json',
  );
});

test('the next request without that preference gets an Error', async () => {
  expectProblem(await get('/v1/pets/77'), 'not_found');
  expectError(await service.get('/v1/pets/77'), 'not_found', 404);
  expectError(await service.get('/v1/pets/77', { headers: { Accept: '*/*' } }), 'not_found', 404);
});

test('a key that is rate-limited, then banned, gets problem details', async () => {
  const key = await service.issueKey({ plan: 'free' });
  for (let sent = 0; sent < 60; sent += 1) await service.get('/v1/pets?limit=1', { key });
  const limited = await get('/v1/pets', { key });
  expectProblem(limited, 'rate_limit_exceeded');
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  for (let sent = 1; sent < 60; sent += 1) await service.get('/v1/pets', { key });
  expectProblem(await get('/v1/pets', { key }), 'api_key_banned');
});

test('an idempotency key works the same with problem details', async () => {
  const once = { 'Idempotency-Key': 'problem-1' };
  expectProblem(await post('/v1/pets', { name: '' }, { headers: once }), 'invalid_request');
  const first = await post('/v1/pets', { name: 'Rex', categoryId: 1 }, { headers: once });
  expect(first.status).toBe(201);
  const again = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { headers: once });
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  const other = await post('/v1/pets', { name: 'Max', categoryId: 1 }, { headers: once });
  expect(expectProblem(other, 'idempotency_key_reused')).toEqual([
    { header: 'Idempotency-Key', detail: 'was already used for a different request; use a new key' },
  ]);
});

test('problem details never repeat a secret sent in the wrong place', async () => {
  const url = `https://127.0.0.1/${ADMIN_KEY}`;
  const refused = [
    await get(`/v1/${ADMIN_KEY}`),
    await post('/v1/webhooks', { url }),
    await get(`/v1/pets?ids=${ADMIN_KEY}`),
  ];
  for (const { status, text } of refused) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain(ADMIN_KEY);
  }
});

test('a page outside /v1 is always refused with an Error', async () => {
  const { headers: response, body } = await get('/nothing', { key: null });
  expect(response.get('content-type')).toBe('application/json');
  expect(body).toEqual({ code: 'route_not_found', message: expect.any(String), status: 404 });
});
