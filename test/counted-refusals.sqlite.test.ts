import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FAILURES } from '../src/kernel/failure.ts';
import { expectError } from './expect-answer.ts';
import { left } from './limit-probe.ts';
import { askOnce } from './raw-http.ts';
import { ADMIN_KEY, type Service, startService, type TestResponse } from './service.ts';

let service: Service;
let closed: Service;
beforeAll(async () => {
  const environment = { PETSTORE_TRUST_PROXY: '127.0.0.1' };
  service = await startService({ environment });
  closed = await startService({ environment, maxWaiting: 0 });
});
afterAll(async () => {
  await service.stop();
  await closed.stop();
});

type From = { at: Service; address: string; key: string | null };
type Send = (from: From) => Promise<TestResponse>;
type Refusal = {
  code: string;
  kind: string;
  send: Send;
  first?: Send;
};

let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `10.1.${addresses >> 8}.${addresses & 255}`;
};

type Sent = { body?: unknown; headers?: Record<string, string> };
const ask =
  (method: string, path: string, { body, headers }: Sent = {}): Send =>
  ({ at, address, key }) =>
    at.call(method, path, { key, body, headers: { 'X-Forwarded-For': address, ...headers } });

const twoHosts =
  (path: string): Send =>
  ({ at, address, key }) => {
    const credentials = key === null ? '' : `Authorization: Bearer ${key}\r\n`;
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nX-Forwarded-For: ${address}\r\n${credentials}`;
    return askOnce(at.port, `${head}\r\n`);
  };

const kinds = (code: string, send: (path: string) => Send, paths: Record<string, string>): Refusal[] =>
  Object.entries(paths).map(([kind, path]) => ({ code, kind, send: send(path) }));

const ASSETS = { 'asset of the docs': '/docs/nothing.js', 'asset of the console': '/console/assets/nothing.js' };
const BELOW_V1 = { operation: '/v1/pets', 'unknown path below /v1': '/v1/nothing' };
const OUTSIDE = {
  page: '/',
  'unknown page': '/nothing',
  health: '/healthz',
  readiness: '/readyz',
  mcp: '/mcp',
  metrics: '/metrics',
  ...ASSETS,
};

const PET = { name: 'Rex', categoryId: 1 };
const LARGE = ' '.repeat(70_000);
const TEXT = { 'Content-Type': 'text/plain' };
const INVALID_KEY = { Authorization: 'Bearer ps_live_nothing' };

const BEFORE_KEYS = kinds('invalid_request', twoHosts, BELOW_V1);

const WITHOUT_KEY: Refusal[] = [
  ...BEFORE_KEYS,
  ...kinds('missing_api_key', (path) => ask('GET', path), BELOW_V1),
  ...kinds('missing_api_key', (path) => ask('PUT', path), { 'wrong method of an operation': '/v1/pets' }),
  ...kinds('invalid_api_key', (path) => ask('GET', path, { headers: INVALID_KEY }), BELOW_V1),
];

const WITH_KEY: Refusal[] = [
  { code: 'route_not_found', kind: 'unknown path', send: ask('GET', '/v1/nothing') },
  { code: 'method_not_allowed', kind: 'operation', send: ask('PUT', '/v1/pets') },
  { code: 'insufficient_scope', kind: 'operation', send: ask('POST', '/v1/webhooks', { body: {} }) },
  { code: 'unsupported_media_type', kind: 'operation', send: ask('POST', '/v1/pets', { body: 'x', headers: TEXT }) },
  { code: 'payload_too_large', kind: 'operation', send: ask('POST', '/v1/pets', { body: LARGE }) },
  { code: 'not_found', kind: 'path id', send: ask('GET', '/v1/pets/007') },
  { code: 'not_found', kind: 'row', send: ask('GET', '/v1/pets/999999') },
  { code: 'invalid_json', kind: 'operation', send: ask('POST', '/v1/pets', { body: '{' }) },
  { code: 'invalid_request', kind: 'operation', send: ask('POST', '/v1/pets', { body: {} }) },
  { code: 'invalid_parameter', kind: 'operation', send: ask('GET', '/v1/pets?limit=0') },
  { code: 'invalid_cursor', kind: 'operation', send: ask('GET', '/v1/pets?cursor=x') },
  {
    code: 'idempotency_key_reused',
    kind: 'operation',
    first: ask('POST', '/v1/pets', { body: PET, headers: { 'Idempotency-Key': 'one' } }),
    send: ask('POST', '/v1/pets', { body: { ...PET, name: 'Tom' }, headers: { 'Idempotency-Key': 'one' } }),
  },
  { code: 'pet_reserved', kind: 'operation', send: ask('DELETE', '/v1/pets/1') },
  { code: 'pet_not_available', kind: 'operation', send: ask('POST', '/v1/store/orders', { body: { petId: 1 } }) },
  {
    code: 'precondition_failed',
    kind: 'operation',
    send: ask('PATCH', '/v1/pets/2', { body: { name: 'Tom' }, headers: { 'If-Match': '"99"' } }),
  },
  {
    code: 'invalid_status_transition',
    kind: 'operation',
    send: ask('PATCH', '/v1/pets/2', { body: { status: 'available' } }),
  },
  {
    code: 'admin_key',
    kind: 'operation',
    send: async (from) => ask('DELETE', `/v1/keys/${await adminId(from.at)}`)(from),
  },
];

const adminId = async (at: Service): Promise<string> =>
  at === closed ? 'key_any' : (await at.get('/v1/keys/me')).body.id;

const foreign = { Origin: 'https://elsewhere.example' };
const PAGES: Refusal[] = [
  ...kinds('route_not_found', (path) => ask('GET', path), { 'unknown page': '/nothing', ...ASSETS }),
  ...kinds('route_not_found', (path) => ask('PUT', path), { 'unknown page, wrong method': '/nothing' }),
  ...['/', '/docs', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/x.js'].flatMap((path) =>
    ['PUT', 'OPTIONS'].flatMap((method) => kinds('method_not_allowed', (at) => ask(method, at), { [path]: path })),
  ),
  ...kinds('method_not_allowed', (path) => ask('GET', path), { mcp: '/mcp' }),
  ...kinds('foreign origin', (path) => ask('POST', path, { body: {}, headers: foreign }), { mcp: '/mcp' }),
];
const PAGES_WITHOUT_KEY: Refusal[] = [
  ...PAGES,
  ...kinds('invalid_request', twoHosts, OUTSIDE),
  ...kinds('missing_api_key', (path) => ask('GET', path), { metrics: '/metrics' }),
  ...kinds('missing_api_key', (path) => ask('POST', path, { body: {} }), { mcp: '/mcp' }),
  ...kinds('invalid_api_key', (path) => ask('GET', path, { headers: INVALID_KEY }), { metrics: '/metrics' }),
  ...kinds('invalid_api_key', (path) => ask('POST', path, { body: {}, headers: INVALID_KEY }), { mcp: '/mcp' }),
];

const BY_PAGES: Refusal[] = [
  { code: 'insufficient_scope', kind: 'metrics', send: ask('GET', '/metrics') },
  { code: 'invalid_json', kind: 'mcp', send: ask('POST', '/mcp', { body: '{' }) },
  { code: 'invalid_request', kind: 'mcp', send: ask('POST', '/mcp', { body: [] }) },
  { code: 'payload_too_large', kind: 'mcp', send: ask('POST', '/mcp', { body: `"${LARGE}"` }) },
  { code: 'unsupported_media_type', kind: 'mcp', send: ask('POST', '/mcp', { body: 'x', headers: TEXT }) },
];

const ELSEWHERE: Readonly<Record<string, string>> = {
  rate_limit_exceeded: 'counts nowhere: test/counted-requests.test.ts',
  daily_quota_exceeded: 'counts nowhere: test/counted-requests.test.ts',
  api_key_banned: 'counts nowhere: test/bans.test.ts',
  unavailable: 'counts nowhere: the closed service of this file, and test/overload.test.ts',
  operation_removed: 'test/counted-requests.test.ts',
  idempotency_in_progress: 'after the window: src/http/pipeline.ts',
  too_many_streams: 'src/resources/events/stream-events.limits.test.ts',
  category_in_use: 'after the window: src/http/pipeline.ts',
  backup_in_progress: 'after the window: src/http/pipeline.ts',
  backup_not_supported: 'after the window: src/http/pipeline.ts',
  store_full: 'after the window: src/http/pipeline.ts',
  internal_error: 'after the window: src/http/pipeline.ts',
};

const expectRefused = (response: TestResponse, code: string): void => {
  if (code === 'foreign origin') expect([response.status, response.body.error.code]).toEqual([403, -32000]);
  else expectError(response, code as keyof typeof FAILURES, FAILURES[code as keyof typeof FAILURES].status);
};

const named = (refusals: readonly Refusal[]) =>
  refusals.map((refusal): [string, string, Refusal] => [refusal.code, refusal.kind, refusal]);

describe('a refusal below /v1 without a valid key costs the address exactly one request', () => {
  test.each(named(WITHOUT_KEY))('%s: %s', async (code, _, { send }) => {
    const from = { at: service, address: newAddress(), key: null };
    const response = await send(from);
    expectRefused(response, code);
    expect(left(response)).toEqual([599]);
    expect(left(await ask('GET', '/v1/pets')(from))).toEqual([598]);
  });

  test.each(named(BEFORE_KEYS))('%s: %s, with a valid key too', async (code, _, { send }) => {
    const from = { at: service, address: newAddress(), key: await service.issueKey({ plan: 'pro' }) };
    const response = await send(from);
    expectRefused(response, code);
    expect(left(response)).toEqual([599]);
    expect(left(await ask('GET', '/v1/pets')(from))).toEqual([299, 9999]);
  });
});

describe('a refusal below /v1 with a valid key costs that key exactly one request', () => {
  beforeAll(async () => {
    for (const status of ['available', 'sold']) await service.post('/v1/pets', { ...PET, status });
    expect((await service.post('/v1/store/orders', { petId: 1 })).status).toBe(201);
  });

  test.each(named(WITH_KEY))('%s: %s', async (code, _, { first, send }) => {
    const scopes = ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'keys:write'];
    const from = { at: service, address: newAddress(), key: await service.issueKey({ plan: 'pro', scopes }) };
    await (first ?? ask('GET', '/v1/pets'))(from);
    const response = await send(from);
    expectRefused(response, code);
    expect(left(response)).toEqual([298, 9998]);
    expect(left(await ask('GET', '/v1/pets')(from))).toEqual([297, 9997]);
    expect(left(await ask('GET', '/v1/pets')({ ...from, key: null }))).toEqual([599]);
  });
});

const expectWindow = async (refusals: readonly Refusal[], fill: Send, from: From): Promise<void> => {
  for (const { code, send } of refusals) expectRefused(await send(from), code);
  const rest = await Promise.all(Array.from({ length: 600 - refusals.length }, () => fill(from)));
  expect(rest.filter(({ status }) => status === 429)).toEqual([]);
  for (const { send } of refusals) expectError(await send(from), 'rate_limit_exceeded', 429);
};

describe('600 refusals a minute outside /v1', () => {
  test('without a valid key count against the address, whatever their code, and do not count as pages', async () => {
    const from = { at: service, address: newAddress(), key: null };
    await expectWindow(PAGES_WITHOUT_KEY, ask('GET', '/nothing'), from);
    for (const path of ['/', '/docs', '/healthz']) expect((await ask('GET', path)(from)).status).toBe(200);
    expect(left(await ask('GET', '/v1/pets')(from))).toEqual([599]);
  });

  test('with a valid key count against the key, from any address, and affect neither its pages nor its plan', async () => {
    const from = { at: service, address: newAddress(), key: await service.issueKey({ plan: 'pro' }) };
    await expectWindow(PAGES, ask('GET', '/nothing'), from);
    expectError(await ask('GET', '/nothing')({ ...from, address: newAddress() }), 'rate_limit_exceeded', 429);
    expectRefused(await ask('GET', '/nothing')({ ...from, key: null }), 'route_not_found');
    expect((await ask('GET', '/')(from)).status).toBe(200);
    expect(left(await ask('GET', '/v1/pets')(from))).toEqual([299, 9999]);
  });

  test('sent by a page to a valid key count as pages of that key', async () => {
    const from = { at: service, address: newAddress(), key: await service.issueKey({ plan: 'pro' }) };
    await expectWindow(BY_PAGES, ask('GET', '/llms.txt'), from);
    expect((await ask('GET', '/llms.txt')({ ...from, key: null })).status).toBe(200);
    expect(left(await ask('GET', '/v1/pets')(from))).toEqual([299, 9999]);
  });
});

describe('while the service is overloaded', () => {
  // Leaves out requests for missing files, because an overloaded service delays requests for files instead of refusing
  // them.
  const isFile = ({ code, kind }: Refusal) => code === 'route_not_found' && kind in ASSETS;
  const everything = [...WITHOUT_KEY, ...WITH_KEY, ...PAGES_WITHOUT_KEY, ...BY_PAGES].filter((one) => !isFile(one));
  test.each([
    ['without a key', null],
    ['with a valid key', ADMIN_KEY],
  ])('every refusal %s becomes a 503, and is not counted', async (_, key) => {
    const answers: TestResponse[] = [];
    for (const { send } of everything) {
      const response = await send({ at: closed, address: '192.0.2.1', key });
      expectError(response, 'unavailable', 503);
      answers.push(response);
    }
    expect(answers).toHaveLength(everything.length);
    const windows = answers.filter(({ headers }) => headers.has('ratelimit')).map(left);
    expect(windows).toEqual(Array.from({ length: WITHOUT_KEY.length + WITH_KEY.length }, () => [600]));
  });

  test('a preflight gets a 503 too, and pages and health checks still work', async () => {
    expectError(await closed.call('OPTIONS', '/v1/pets', { key: null }), 'unavailable', 503);
    for (const path of ['/', '/healthz', '/readyz']) expect((await closed.get(path, { key: null })).status).toBe(200);
  });
});

test('every error code is covered here', () => {
  const sent = [...WITHOUT_KEY, ...WITH_KEY, ...PAGES_WITHOUT_KEY, ...BY_PAGES].map(({ code }) => code);
  const listed = new Set([...sent, ...Object.keys(ELSEWHERE)]);
  expect(Object.keys(FAILURES).filter((code) => !listed.has(code))).toEqual([]);
});
