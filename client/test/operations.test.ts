import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { CONTRACTS } from '../../src/contracts.ts';
import { VERSION } from '../../src/version.ts';
import { freshBody, freshPathValues } from '../../test/operation-request.ts';
import { ADMIN_KEY, STAGING, startService } from '../../test/service.ts';
import {
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  Petstore,
  type PetstoreError,
  type RequestNote,
  Unauthorized,
} from '../src/index.ts';
import { failure, startPetstore } from './client.ts';

let it: Awaited<ReturnType<typeof startPetstore>>;
let petstore: Petstore;
beforeAll(async () => {
  it = await startPetstore();
  petstore = it.create();
});
beforeEach(() => it.reset());
afterAll(() => it.stop());

describe('every operation', () => {
  const camel = (words: string) => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

  test('is a method that does what the service promises', async () => {
    const staging = await startService({ environment: STAGING });
    for (const contract of CONTRACTS.filter(({ stream }) => !stream)) {
      const service = contract.environment ? staging : it.service;
      const [group = '', name = ''] = contract.command.split(' ').map(camel);
      const client = it.create({ baseUrl: service.url('/v1') });
      const method = (client as any)[group][name] as (...given: unknown[]) => any;
      const ids = await freshPathValues(service, contract);
      const body = contract.input.body ? [JSON.parse(await freshBody(service, contract))] : [];
      const answer = method(...ids, ...body);
      const { status } = contract.paged ? (await answer.page()).response : (await answer.withResponse()).response;
      expect({ id: contract.id, status }).toEqual({ id: contract.id, status: contract.answer.status });
    }
    await staging.stop();
  });
});

describe('a response', () => {
  test('resolves to the body, and with withResponse() to status and headers too', async () => {
    const rex = await petstore.pets.create({ name: 'Rex', categoryId: 1 });
    expect(rex).toEqual({ id: rex.id, name: 'Rex', categoryId: 1, status: 'available' });

    const { data, response } = await petstore.pets.update(rex.id, { name: 'Rex II' }).withResponse();
    expect(data.name).toBe('Rex II');
    expect(response).toMatchObject({ status: 200, etag: '"2"', replayed: false });
    expect(response.requestId).toStartWith('req_');
    expect(JSON.parse(response.text)).toEqual(data);
    expect(await petstore.pets.delete(rex.id)).toBeUndefined();
  });

  test('has the limits of the key, and so does the client', async () => {
    const client = it.create({ key: await it.service.issueKey({ plan: 'free' }) });
    expect(client.limits).toBeUndefined();
    const { response } = await client.pets.list().page();
    expect(response.limits).toMatchObject({
      limit: 60,
      remaining: 59,
      windows: {
        minute: { limit: 60, remaining: 59, lengthMs: 60_000, resetMs: 60_000 },
        day: { limit: 1000, remaining: 999, lengthMs: 86_400_000, resetMs: 86_400_000 },
      },
    });
    expect(response.limits?.resetAt.getTime()).toBe(it.service.clock() + 60_000);
    expect(client.limits).toEqual(response.limits);
  });

  test('does not update the limits after requests about the key itself, or after its revocation', async () => {
    const key = await it.service.issueKey({ plan: 'free' });
    const client = it.create({ key });
    const { response } = await client.pets.list().page();
    const me = await client.keys.me().withResponse();
    await client.usage.get();
    expect(client.limits).toEqual(response.limits);
    expect(me.response.limits?.windows).toMatchObject({ minute: { limit: 60, remaining: 59 } });
    await it.create().keys.revoke(me.data.id);
    expect((await failure(client.pets.list().page())).status).toBe(401);
    expect(client.limits).toEqual(response.limits);
  });

  test('is passed to the logging hook, and so is a refusal', async () => {
    const notes: unknown[] = [];
    const client = it.create({ onResponse: (note) => notes.push(note) });
    await client.pets.list({ limit: 1 }).page();
    await failure(client.orders.get(987_654));
    expect(notes).toMatchObject([
      { method: 'GET', path: '/pets', status: 200, attempt: 1, requestId: expect.stringMatching(/^req_/) },
      { method: 'GET', path: '/store/orders/987654', status: 404, attempt: 1 },
    ]);
  });

  test('to a repeated request is marked as a replay', async () => {
    const body = { name: 'Once', categoryId: 1 };
    const first = await petstore.pets.create(body, { idempotencyKey: 'import-1' });
    const { data, response } = await petstore.pets.create(body, { idempotencyKey: 'import-1' }).withResponse();
    expect(data).toEqual(first);
    expect(response.replayed).toBe(true);
  });

  test('is also returned for requests by path, for operations newer than the client', async () => {
    const made = await petstore.request<{ id: number }>({
      method: 'POST',
      path: '/pets',
      body: { name: 'Raw', categoryId: 5 },
    });
    const [found] = await petstore.list<{ name: string }>({ path: '/pets', query: { ids: [made.id] } }).toArray();
    expect(found?.name).toBe('Raw');
  });
});

describe('a refusal', () => {
  const cases: [string, () => Promise<unknown>, typeof PetstoreError, string, number][] = [
    ['wrong values', () => petstore.pets.create({ name: '', categoryId: 1 }), Invalid, 'invalid_request', 400],
    ['an unknown id', () => petstore.orders.get(987_654), NotFound, 'not_found', 404],
    ['an unknown key', () => it.create({ key: 'ps_live_wrong' }).keys.me(), Unauthorized, 'invalid_api_key', 401],
    [
      'a state that does not allow the request',
      () => petstore.orders.place({ petId: sold }),
      Conflict,
      'pet_not_available',
      409,
    ],
    [
      'an outdated version',
      () => petstore.pets.update(sold, {}, { ifMatch: '"9"' }),
      Conflict,
      'precondition_failed',
      412,
    ],
  ];
  let sold: number;
  beforeAll(async () => {
    sold = (await petstore.pets.create({ name: 'Gone', categoryId: 1, status: 'sold' })).id;
  });
  test.each(cases)('for %s is an error of its own class', async (_, call, Class, code, status) => {
    const error = await failure(call());
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ name: Class.name, code, status });
    expect(error.requestId).toStartWith('req_');
    expect(error.limits?.limit).toBeGreaterThan(0);
    expect(it.waits).toEqual([]);
  });

  test('for a missing scope names the scope', async () => {
    const client = it.create({ key: await it.service.issueKey({ scopes: ['pets:read'] }) });
    const error = await failure(client.pets.create({ name: 'Rex', categoryId: 1 }));
    expect(error).toBeInstanceOf(Forbidden);
    expect(error.message).toContain('pets:write');
  });

  test('names each invalid field of problem details', async () => {
    const errors = [
      { pointer: '#/name', detail: 'is required' },
      { parameter: 'limit', detail: 'must be less' },
    ];
    const problem = {
      type: '/docs/errors#invalid_request',
      title: 'No',
      status: 400,
      detail: 'name: is required',
      code: 'invalid_request',
      errors,
    };
    it.proxy.faults.push({
      status: 400,
      headers: { 'Content-Type': 'application/problem+json' },
      body: JSON.stringify(problem),
    });
    const error = await failure(petstore.keys.me());
    expect(error).toMatchObject({ code: 'invalid_request', message: 'name: is required', fields: errors });
  });

  test('from another server is reported as such', async () => {
    it.proxy.faults.push({ status: 404, body: '<h1>Nothing here</h1>' }, { status: 200, body: '<h1>Welcome</h1>' });
    for (const _ of [1, 2]) {
      const error = await failure(petstore.keys.me());
      expect(error).toMatchObject({ code: 'unexpected_answer' });
      expect(error.message).toContain('check baseUrl');
    }
  });

  test('is not an unhandled rejection with withResponse()', async () => {
    const error = await failure(petstore.orders.get(987_654).withResponse());
    expect(error.code).toBe('not_found');
  });
});

describe('a client', () => {
  test.each([
    ['no key', { key: undefined }, 'key: is missing'],
    ['a key with a line break', { key: 'ps_live_x\n' }, 'key: contains white space'],
    ['no address', { baseUrl: undefined as never }, 'baseUrl: is missing'],
    ['negative retries', { retries: -1 }, 'retries: must be a number of at least 0, not -1'],
    ['retries that are not a number', { retries: '3' as never }, 'retries: must be a number'],
    ['a timeout of NaN', { timeoutMs: Number.NaN }, 'timeoutMs: must be a number of at least 0, not NaN'],
    ['a negative wait', { maxWaitMs: -1 }, 'maxWaitMs: must be a number'],
    ['an address without a host', { baseUrl: '/v1' }, 'baseUrl: must be a URL'],
    ['an address with another scheme', { baseUrl: 'file:///v1' }, 'baseUrl: must be an http'],
    ['an address with a password', { baseUrl: 'https://a:b@pets.example' }, 'baseUrl: must be an http'],
  ])('with %s is refused before any request', (_, options, message) => {
    expect(() => new Petstore({ key: 'k', baseUrl: 'https://pets.example', ...options })).toThrow(message);
  });

  test('without options is refused with an example', () => {
    const Untyped = Petstore as unknown as new () => Petstore;
    expect(() => new Untyped()).toThrow('options: are missing; pass them, as in new Petstore({ key, baseUrl })');
  });

  test('sends nothing for a call with negative retries', async () => {
    await expect(petstore.keys.me({ retries: -1 })).rejects.toThrow('retries: must be a number of at least 0, not -1');
    await expect(petstore.keys.me({ timeoutMs: -1 })).rejects.toThrow('timeoutMs: must be a number');
    expect(it.proxy.seen).toEqual([]);
  });

  test('accepts the address with or without the version', async () => {
    for (const baseUrl of ['', '/', '/v1', '/v1/'].map((end) => it.proxy.baseUrl.replace('/v1', end))) {
      expect(await it.create({ baseUrl }).keys.me()).toMatchObject({ storeId: 1 });
    }
  });

  test('does not show its key', () => {
    const client = it.create({ key: 'ps_live_secret' });
    expect(Bun.inspect(client, { depth: 9 })).not.toContain('ps_live_secret');
    expect(JSON.stringify(client)).not.toContain('ps_live_secret');
  });

  test('sends its own key, whatever headers are added', async () => {
    const { id } = await petstore.keys.me({ headers: { authorization: 'Bearer other', 'X-Trace': '7' } });
    expect(id).toBe((await petstore.keys.me()).id);
  });

  test('sends its name, version and default headers, which headers of a call replace', async () => {
    const sent: Headers[] = [];
    const client = it.create({
      headers: { 'X-Trace': 'all', 'X-Team': 'shop' },
      fetch: (url, init) => {
        sent.push(init.headers as Headers);
        return fetch(url, init);
      },
    });
    await client.keys.me();
    await client.keys.me({ headers: { 'x-trace': 'one', 'User-Agent': 'shop/2' } });
    const shown = sent.map((headers) => ['user-agent', 'x-trace', 'x-team'].map((name) => headers.get(name)));
    expect(shown).toEqual([
      [`petstore-client/${VERSION}`, 'all', 'shop'],
      ['shop/2', 'one', 'shop'],
    ]);
  });

  test('does not change the User-Agent of a browser', async () => {
    Object.defineProperty(navigator, 'userAgent', { configurable: true, value: 'Mozilla/5.0 (X11)' });
    const names: string[] = [];
    try {
      await it.create({ onRequest: ({ headers }) => names.push(...headers.keys()) }).keys.me();
    } finally {
      // Deletes the property that the test defined, so that the getter on the prototype applies again.
      Reflect.deleteProperty(navigator, 'userAgent');
    }
    expect(names).toContain('accept');
    expect(names).not.toContain('user-agent');
  });

  test('refuses default headers that belong to one call', () => {
    expect(() => it.create({ headers: { 'idempotency-key': 'x' } })).toThrow(
      'Idempotency-Key applies to a single call',
    );
    expect(() => it.create({ headers: { 'If-Match': '"1"' } })).toThrow('If-Match applies to a single call');
  });

  test('with other options keeps the rest, and leaves the original client unchanged', async () => {
    const sent: (string | null)[][] = [];
    const onRequest = ({ headers }: RequestNote) => sent.push([headers.get('x-team'), headers.get('x-trace')]);
    const first = it.create({ headers: { 'X-Team': 'shop' }, onRequest, retries: 0 });
    const second = first.withOptions({ headers: { 'X-Trace': '7' }, retries: 1 });
    it.proxy.faults.push({ status: 502 }, { status: 502 });
    expect(await failure(first.keys.me())).toMatchObject({ status: 502 });
    expect(await second.keys.me()).toMatchObject({ storeId: 1 });
    expect(sent).toEqual([
      ['shop', null],
      ['shop', '7'],
      ['shop', '7'],
    ]);
    const other = await it.service.issueKey({ plan: 'free' });
    expect((await second.withOptions({ key: other }).keys.me()).plan).toBe('free');
    expect((await second.withOptions().keys.me()).storeId).toBe(1);
    expect(() => second.withOptions({ retries: -1 })).toThrow('retries: must be a number');
  });

  test('shows every attempt to the debugging hook, without the key', async () => {
    const notes: RequestNote[] = [];
    const client = it.create({ onRequest: (note) => notes.push(note) });
    it.proxy.faults.push({ status: 502 });
    await client.pets.create({ name: 'Seen', categoryId: 1 });
    for await (const _ of client.events.stream({ after: 0 })) break;
    expect(notes.map(({ method, path, url, attempt, body }) => ({ method, path, url, attempt, body }))).toEqual([
      ...[1, 2].map((attempt) => ({
        method: 'POST',
        path: '/pets',
        url: `${it.proxy.baseUrl}/pets`,
        attempt,
        body: '{"name":"Seen","categoryId":1}',
      })),
      { method: 'GET', path: '/events/stream', url: `${it.proxy.baseUrl}/events/stream`, attempt: 1, body: undefined },
    ]);
    expect(notes[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(Bun.inspect(notes, { depth: 9 })).not.toContain(ADMIN_KEY);
  });

  test('never sends its key to the target of a redirect', async () => {
    it.proxy.faults.push({ status: 307, headers: { Location: it.service.url('/v1/keys/me') } });
    const error = await failure(petstore.keys.me());
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 307 });
    expect(it.proxy.seen).toHaveLength(1);
  });

  test('sends nothing to a path that does not start with a slash', async () => {
    await expect(petstore.request({ path: 'pets' })).rejects.toThrow('path: must start with a slash, as in /pets');
    await expect(petstore.list({ path: '.example.org/pets' }).page()).rejects.toThrow('path: must start');
    expect(it.proxy.seen).toEqual([]);
  });

  test.each([
    '/../healthz',
    '/pets/../../healthz',
    '/%2e%2E/healthz',
    '/.\t./healthz',
    '/..\\healthz',
    '/..%2fhealthz',
    '/..%5Chealthz',
    '/..',
  ])('sends nothing to %j, which leaves /v1', async (path) => {
    await expect(petstore.request({ path })).rejects.toThrow('must be below');
    await expect(petstore.list({ path }).page()).rejects.toThrow('path: must be below');
    expect(it.proxy.seen).toEqual([]);
  });

  test('sends a path that stays below /v1', async () => {
    await petstore.request({ path: '/pets/../keys/./me' });
    expect(it.proxy.seen.map(({ path }) => path)).toEqual(['/v1/keys/me']);
  });

  test('adds the query to parameters that are already in the path', async () => {
    const urls: string[] = [];
    const client = petstore.withOptions({ onRequest: ({ url }) => urls.push(new URL(url).search) });
    await client.request({ path: '/pets?limit=1', query: { status: 'sold' } });
    await client.request({ path: '/pets?limit=1', query: {} });
    expect(urls).toEqual(['?limit=1&status=sold', '?limit=1']);
  });

  test('sends nothing for an id that would lead to another path', async () => {
    await expect(petstore.orders.get('..' as never)).rejects.toThrow('orderId: must be an id');
    await expect(petstore.orders.get(undefined as never)).rejects.toThrow('orderId: must be an id');
    await expect(petstore.pets.history('.' as never).page()).rejects.toThrow('petId: must be an id');
    expect(it.proxy.seen).toEqual([]);
  });
});
