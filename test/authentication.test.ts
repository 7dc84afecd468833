import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { contractsIn } from '../src/contracts.ts';
import { SCOPES } from '../src/kernel/contract.ts';
import { createRandomText } from '../src/kernel/ids.ts';
import { makeSecret } from '../src/resources/keys/secret.ts';
import { askOnce } from './raw-http.ts';
import { ADMIN_KEY, type Service, startService, type TestResponse } from './service.ts';

let service: Service;
let staging: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  staging = await startService({ environment: { PETSTORE_ENVIRONMENT: 'staging' } });
  key = await service.issueKey();
});
afterAll(() => Promise.all([service.stop(), staging.stop()]));

const contracts = contractsIn('production');
const randomText = createRandomText(randomBytes);
const mistype = (secret: string) => secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');

const authorize = (authorization: string) =>
  service.get('/v1/pets', { key: null, headers: { Authorization: authorization } });

const expectRefusal = ({ status, headers, body }: Omit<TestResponse, 'text'>, code: string) => {
  expect(status).toBe(401);
  expect(body).toEqual({ code, message: expect.any(String), status: 401 });
  expect(headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
  expect(headers.get('x-ratelimit-limit')).toBe('600');
};

describe('a request without a key', () => {
  test('is refused as missing_api_key', async () => {
    expectRefusal(await service.get('/v1/pets', { key: null }), 'missing_api_key');
  });

  test.each(['', 'Bearer', 'Bearer   ', 'bearer'])(
    'is refused as missing_api_key when the header is "%s"',
    async (sent) => {
      expectRefusal(await authorize(sent), 'missing_api_key');
    },
  );

  test('is refused when the key is anywhere but in the Authorization header', async () => {
    const path = `/v1/pets?api_key=${key}&access_token=${key}`;
    expectRefusal(await service.get(path, { key: null, headers: { 'X-Api-Key': key } }), 'missing_api_key');
  });

  test('gets a message that shows how to send a key', async () => {
    expect((await service.get('/v1/pets', { key: null })).body.message).toContain('Authorization: Bearer <API_KEY>');
  });
});

describe('a key', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is accepted after the scheme %s', async (scheme) => {
    expect((await authorize(`${scheme} ${key}`)).status).toBe(200);
  });

  const refused: [string, () => string][] = [
    ['with another scheme', () => `Basic ${btoa(`user:${key}`)}`],
    ['without a scheme', () => key],
    ['with a scheme that only starts with Bearer', () => `Bearers ${key}`],
    ['in quotes', () => `Bearer "${key}"`],
    ['twice in one header', () => `Bearer ${key} ${key}`],
    ['twice, separated by a comma', () => `Bearer ${key}, Bearer ${key}`],
    ['that was never issued', () => `Bearer ${makeSecret('production', randomText)}`],
    ['with a checksum that does not match', () => `Bearer ${mistype(key)}`],
    ['that is cut short', () => `Bearer ${key.slice(0, -1)}`],
    ['that is too long', () => `Bearer ${key}0`],
    ['in lower case', () => `Bearer ${key.toLowerCase()}`],
    ['that is only a prefix', () => 'Bearer ps_live_'],
    ['that is the ID of a key', () => 'Bearer key_000000000000000000000000'],
    ['that is the admin key plus one letter', () => `Bearer ${ADMIN_KEY}s`],
    ['with an SQL injection', () => `Bearer ' OR '1'='1`],
    ['of 8,000 characters', () => `Bearer ${'x'.repeat(8000)}`],
  ];
  test.each(refused)('%s is refused as invalid_api_key, and not repeated in the response', async (_, authorization) => {
    const sent = authorization();
    const response = await authorize(sent);
    expectRefusal(response, 'invalid_api_key');
    const answer = response.text + JSON.stringify([...response.headers]);
    for (const word of sent.split(/[ ,]+/).filter((part) => part.length > 20)) expect(answer).not.toContain(word);
  });

  test('works until it expires, and is refused as invalid_api_key from that instant', async () => {
    const expiring = await service.issueKey({ expiresAt: new Date(service.clock() + 1000).toISOString() });
    service.clock.advance(999);
    expect((await service.get('/v1/pets', { key: expiring })).status).toBe(200);
    service.clock.advance(1);
    expectRefusal(await service.get('/v1/pets', { key: expiring }), 'invalid_api_key');
  });

  test('for production is refused on staging', async () => {
    const response = await staging.get('/v1/pets', { key });
    expectRefusal(response, 'invalid_api_key');
    expect(response.body.message).toContain('production key');
  });

  test('for staging is refused in production', async () => {
    const stagingKey = await staging.issueKey();
    expect((await staging.get('/v1/pets', { key: stagingKey })).status).toBe(200);
    const response = await service.get('/v1/pets', { key: stagingKey });
    expectRefusal(response, 'invalid_api_key');
    expect(response.body.message).toContain('staging key');
  });

  test('from another deployment in the same environment is refused as invalid_api_key', async () => {
    const other = await startService();
    expectRefusal(await other.get('/v1/pets', { key }), 'invalid_api_key');
    await other.stop();
  });
});

describe('the Authorization header', () => {
  const ask = (...headers: string[]) =>
    askOnce(service.port, ['GET /v1/pets HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n'));

  test('is accepted whatever the case of its name', async () => {
    expect((await ask(`AUTHORIZATION: Bearer ${key}`)).status).toBe(200);
  });

  test('is refused when sent twice, even with the same valid key', async () => {
    expectRefusal(await ask(`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`), 'invalid_api_key');
    expectRefusal(await ask(`Authorization: Bearer ${key}`, 'Authorization: Bearer other'), 'invalid_api_key');
    expectRefusal(await ask('Authorization: Basic eDp5', `Authorization: Bearer ${key}`), 'invalid_api_key');
  });

  test('is refused when it is not valid UTF-8', async () => {
    const head = Buffer.from('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ');
    const bytes = Buffer.concat([head, Buffer.from([0xff, 0xfe, 0xc3, 0x28]), Buffer.from('\r\n\r\n')]);
    expectRefusal(await askOnce(service.port, bytes), 'invalid_api_key');
  });

  test('is refused by the parser when it has 100,000 characters, and the service keeps serving', async () => {
    expect((await ask(`Authorization: Bearer ${'x'.repeat(100_000)}`)).status).toBe(431);
    expect((await service.get('/v1/pets')).status).toBe(200);
  });
});

describe('without a valid key', () => {
  const concrete = (path: string) => `/v1${path.replaceAll(/\{\w+\}/g, '1')}`;
  const requests: [string, string][] = [
    ...contracts.map(({ method, path }): [string, string] => [method, concrete(path)]),
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/nowhere'],
    ['POST', '/v1/nowhere/at/all'],
    ['GET', '/v1/pets/'],
    ['GET', '/v1/pets/abc'],
    ['PUT', '/v1/pets'],
    ['DELETE', '/v1/keys'],
    ['PROPFIND', '/v1/pets'],
  ];
  test.each(requests)('%s %s gets a 401 before any other check', async (method, path) => {
    const bodies = method === 'GET' ? [undefined] : [undefined, '{', 'x'.repeat(70_000)];
    for (const body of bodies) {
      const ask = body === undefined ? {} : { body, headers: { 'Content-Type': 'text/plain' } };
      expectRefusal(await service.call(method, path, { ...ask, key: null }), 'missing_api_key');
      expectRefusal(await service.call(method, path, { ...ask, key: mistype(key) }), 'invalid_api_key');
    }
  });

  test('HEAD gets a 401 with the same headers and no body', async () => {
    const { status, headers, text } = await service.call('HEAD', '/v1/pets', { key: null });
    expect([status, text]).toEqual([401, '']);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
  });

  test('nothing is stored', async () => {
    const { status } = await service.post('/v1/pets', { name: 'Stranger', categoryId: 424242 }, { key: null });
    expect(status).toBe(401);
    expect((await service.get('/v1/pets?categoryId=424242')).body).toEqual([]);
  });
});

describe('a scoped key', () => {
  const scoped = contracts.flatMap(({ id, method, path, scope }) =>
    scope === 'any key' ? [] : [{ id, method, path: `/v1${path.replaceAll(/\{\w+\}/g, '1')}`, scope }],
  );

  test.each(scoped)(
    'without $scope is refused $id as insufficient_scope, and the message names the scope',
    async ({ method, path, scope }) => {
      const without = await service.issueKey({ scopes: SCOPES.filter((other) => other !== scope) });
      const ask = method === 'GET' ? {} : { body: '{', headers: { 'Content-Type': 'text/plain' } };
      const { status, body, headers } = await service.call(method, path, { ...ask, key: without });
      expect([status, body.code]).toEqual([403, 'insufficient_scope']);
      expect(body.message).toContain(scope);
      expect(headers.get('x-ratelimit-limit')).toBe('1000');
    },
  );

  test.each(scoped)('with only $scope is allowed $id', async ({ method, path, scope }) => {
    const { status } = await service.call(method, path, { key: await service.issueKey({ scopes: [scope] }) });
    expect([401, 403]).not.toContain(status);
  });
});
