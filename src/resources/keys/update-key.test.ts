import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createLimitProbe, type LimitProbe } from '../../../test/limit-probe.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
let probe: LimitProbe;
beforeAll(async () => {
  service = await startService({ environment: { PETSTORE_TRUST_PROXY: '127.0.0.1' } });
  probe = createLimitProbe(service);
});
afterAll(() => service.stop());

const CUSTOM = { plan: 'enterprise', limits: { perMinute: 7, perDay: 70, pets: 700 } };

const issue = async (fields: object = {}) => {
  const { key, ...shown } = (await service.post('/v1/keys', { name: 'Front desk', plan: 'pro', ...fields })).body;
  return { key: key as string, id: shown.id as string, shown };
};
const update = (id: string, body: unknown) => service.call('PATCH', `/v1/keys/${id}`, { body });
const events = (id: string) =>
  probe.rows(
    `SELECT * FROM events WHERE type <> 'key.created' AND data LIKE '{"object":{"id":"' || CAST($1 AS text) || '"%' ORDER BY sequence`,
    id,
  );
const data = async (id: string) => (await events(id)).map((event) => JSON.parse(event.data));

const expectRefused = async (id: string, body: unknown, message: RegExp) => {
  const before = (await service.get(`/v1/keys/${id}`)).body;
  const response = await update(id, body);
  expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
  expect(response.body.message).toMatch(message);
  expect((await service.get(`/v1/keys/${id}`)).body).toEqual(before);
  expect(await events(id)).toEqual([]);
};

describe('updateKey', () => {
  const changes: [string, object, object, object][] = [
    ['name', {}, { name: ' Zoë 🐕 ' }, { name: 'Front desk' }],
    ['scopes', {}, { scopes: ['events:read'] }, { scopes: ['pets:read', 'pets:write', 'orders:read', 'orders:write'] }],
    ['expiry', {}, { expiresAt: '2030-01-31T12:00:00.250Z' }, { expiresAt: null }],
    [
      'expiry that is cleared',
      { expiresAt: '2030-01-31T12:00:00.250Z' },
      { expiresAt: null },
      { expiresAt: '2030-01-31T12:00:00.250Z' },
    ],
    [
      'limits of an enterprise key',
      CUSTOM,
      { limits: { perMinute: 8, perDay: 70, pets: 800 } },
      { limits: CUSTOM.limits },
    ],
  ];
  test.each(changes)('changes only the %s, and records its previous value', async (_, fields, change, previous) => {
    const { id, shown } = await issue(fields);
    const { status, body } = await update(id, change);
    expect([status, body]).toEqual([200, { ...shown, ...change }]);
    expect((await service.get(`/v1/keys/${id}`)).body).toEqual(body);
    expect(await data(id)).toEqual([{ object: body, previous }]);
  });

  test('changes several fields with one event that contains only the changed fields', async () => {
    const { id, shown } = await issue();
    const change = { name: 'Till', scopes: ['pets:read'], expiresAt: null, plan: 'pro' };
    const { body } = await update(id, change);
    expect(body).toEqual({ ...shown, ...change });
    expect(await data(id)).toEqual([{ object: body, previous: { name: shown.name, scopes: shown.scopes } }]);
  });

  test('writes the event in the store of the key, with actor, time, address and request', async () => {
    const { id } = await issue({ storeId: 12 });
    const operator = await issue({ scopes: ['keys:write'] });
    const { headers } = await service.call('PATCH', `/v1/keys/${id}`, {
      key: operator.key,
      body: { name: 'Till' },
      headers: { 'X-Forwarded-For': '192.0.2.7' },
    });
    expect(await events(id)).toMatchObject([
      {
        type: 'key.updated',
        store_id: 12,
        sequence: 2,
        occurred_at: service.clock(),
        actor_key_id: operator.id,
        address: '192.0.2.7',
        request_id: headers.get('x-request-id'),
      },
    ]);
  });

  test.each(['{}', '{"name":"Front desk"}', '{"plan":"pro"}', '{"expiresAt":null}', '{"unknown":1}'])(
    'returns 200 without an event for %s',
    async (body) => {
      const { id, shown } = await issue();
      const response = await update(id, body);
      expect([response.status, response.body]).toEqual([200, shown]);
      expect(await events(id)).toEqual([]);
    },
  );

  test('ignores immutable fields', async () => {
    const { id, shown } = await issue();
    const { status, body } = await update(id, {
      ...{ id: 'key_x', storeId: 77, prefix: 'x', last4: 'x', key: 'x', admin: true },
      ...{ createdAt: null, lastUsedAt: null, revokedAt: '2026-01-01T00:00:00Z' },
    });
    expect([status, body]).toEqual([200, shown]);
    expect(await events(id)).toEqual([]);
  });

  test('keeps the secret', async () => {
    const { id, key } = await issue();
    await update(id, { name: 'Till', plan: 'free' });
    expect((await service.get('/v1/pets', { key })).status).toBe(200);
  });
});

describe('a change of', () => {
  test('scopes applies from the next request', async () => {
    const { id, key } = await issue({ scopes: ['pets:read'] });
    const add = () => service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
    expect((await add()).body.code).toBe('insufficient_scope');
    await update(id, { scopes: ['pets:write', 'pets:write'] });
    expect((await add()).status).toBe(201);
    expect((await service.get('/v1/pets', { key })).body.code).toBe('insufficient_scope');
  });

  test('the expiry takes effect to the millisecond', async () => {
    const { id, key } = await issue();
    await update(id, { expiresAt: new Date(service.clock() + 1000).toISOString() });
    service.clock.advance(999);
    expect((await probe.ask(key)).status).toBe(200);
    service.clock.advance(1);
    expect((await probe.ask(key)).status).toBe(401);
  });

  test.each([
    ['a later one', () => new Date(service.clock() + 1).toISOString()],
    ['none', () => null],
  ])('the expiry to %s revives an expired key', async (_, expiresAt) => {
    const { id, key } = await issue({ expiresAt: new Date(service.clock() + 1).toISOString() });
    service.clock.advance(1);
    expect((await probe.ask(key)).status).toBe(401);
    expect((await update(id, { expiresAt: expiresAt() })).status).toBe(200);
    expect((await probe.ask(key)).status).toBe(200);
  });
});

describe('a change that is not allowed', () => {
  const wrong: [string, RegExp][] = [
    ['{"name":null}', /^name: must be a string$/],
    ['{"name":" "}', /^name: must not be empty/],
    ['{"plan":null}', /^plan: must be one of free, /],
    ['{"plan":"gold"}', /^plan: must be one of free, /],
    ['{"limits":null}', /^limits: must be an object/],
    ['{"plan":"enterprise","limits":{"perMinute":5}}', /^limits.perDay: is required$/],
    ['{"plan":"enterprise","limits":{"perMinute":0,"perDay":1}}', /^limits.perMinute: must be an integer from 1 /],
    ['{"scopes":null}', /^scopes: must be a list of scopes$/],
    ['{"scopes":[]}', /^scopes: must contain at least one scope$/],
    ['{"scopes":["pets:fly"]}', /^scopes\[0\]: must be one of /],
    ['{"expiresAt":"soon"}', /^expiresAt: must be a time/],
    ['{"expiresAt":"2026-11-20T12:00:00.000Z"}', /^expiresAt: must be in the future$/],
    ['{"expiresAt":"1969-12-31T23:59:59Z"}', /^expiresAt: must be in the future$/],
    [
      '{"name":"","plan":"free","limits":{"perMinute":1,"perDay":1}}',
      /^name: .*; limits: cannot be set on the free plan/,
    ],
    ['[]', /^body: must be a JSON object$/],
    ['null', /^body: must be a JSON object$/],
    ['"x"', /^body: must be a JSON object$/],
  ];
  test.each(wrong)('%s is refused, changes nothing and writes no event', async (body, message) => {
    await expectRefused((await issue()).id, body, message);
  });

  test('of the admin key always returns 409 admin_key', async () => {
    const { body: admin } = await service.get('/v1/keys/me');
    for (const change of [{}, { name: 'x' }, { scopes: ['pets:read'] }, { expiresAt: '2030-01-31T12:00:00Z' }]) {
      const { status, body } = await update(admin.id, change);
      expect([status, body.code]).toEqual([409, 'admin_key']);
    }
    expect((await service.get('/v1/keys/me')).body).toEqual(admin);
    expect(await events(admin.id)).toEqual([]);
  });

  test('of a revoked key always returns 409', async () => {
    const { id } = await issue();
    await service.call('DELETE', `/v1/keys/${id}`);
    const { body: revoked } = await service.get(`/v1/keys/${id}`);
    for (const change of [{}, { name: 'x' }, { expiresAt: null }]) {
      const { status, body } = await update(id, change);
      expect([status, body.code]).toEqual([409, 'invalid_status_transition']);
    }
    expect((await service.get(`/v1/keys/${id}`)).body).toEqual(revoked);
    expect((await events(id)).map(({ type }) => type)).toEqual(['key.revoked']);
  });

  test('of an unknown key returns 404, once the body is valid', async () => {
    const unknown = 'key_000000000000000000000000';
    expect((await update(unknown, { name: 'x' })).body.code).toBe('not_found');
    const wrongBodies = [
      { name: '' },
      { expiresAt: '2020-01-01T00:00:00Z' },
      { plan: 'free', limits: { perMinute: 1, perDay: 1 } },
    ];
    for (const body of wrongBodies) expect((await update(unknown, body)).body.code).toBe('invalid_request');
  });
});
