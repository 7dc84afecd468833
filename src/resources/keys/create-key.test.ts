import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readRows } from '../../../test/database.ts';
import { type Service, startService } from '../../../test/service.ts';
import { storedBytes } from '../../../test/stored-rows.ts';
import { SCOPES } from '../../kernel/contract.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const create = (fields: unknown) => service.post('/v1/keys', fields);
const plain = (fields: object) => create({ name: 'Front desk', plan: 'pro', ...fields });
const rows = (query: string, ...values: string[]) => readRows(service.place, query, ...values);

describe('createKey', () => {
  test('returns the key with all its fields, and the secret', async () => {
    const { status, body } = await create({ name: 'Front desk', plan: 'free' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{24}$/),
      name: 'Front desk',
      plan: 'free',
      limits: { perMinute: 60, perDay: 1000, pets: 10_000 },
      scopes: ['pets:read', 'pets:write', 'orders:read', 'orders:write'],
      storeId: 1,
      prefix: 'ps_live_',
      last4: body.key.slice(-4),
      createdAt: new Date(service.clock()).toISOString(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      bannedUntil: null,
      key: expect.stringMatching(/^ps_live_[0-9A-Za-z]{36}$/),
    });
  });

  test('returns the Location of the key', async () => {
    const { body, headers } = await plain({});
    const { key, ...shown } = body;
    expect(headers.get('location')).toBe(service.url(`/v1/keys/${body.id}`));
    expect((await service.get(`/v1/keys/${body.id}`)).body).toEqual(shown);
  });

  test('creates a key that works immediately', async () => {
    expect((await service.get('/v1/pets', { key: await service.issueKey() })).status).toBe(200);
  });

  test('requires the scope keys:write, which a plain key does not have', async () => {
    const { status, body } = await service.post(
      '/v1/keys',
      { name: 'x', plan: 'free' },
      { key: await service.issueKey() },
    );
    expect(status).toBe(403);
    expect(body.message).toContain('keys:write');
  });

  test('sets the requested scopes, without duplicates', async () => {
    const { body } = await plain({ scopes: ['events:read', 'pets:read', 'events:read'] });
    expect(body.scopes).toEqual(['events:read', 'pets:read']);
  });

  test.each([...SCOPES])('accepts the scope %s', async (scope) => {
    expect((await plain({ scopes: [scope] })).body.scopes).toEqual([scope]);
  });

  test('writes the event key.created in the store of the key, without the secret', async () => {
    const { body, headers } = await plain({ storeId: 31 });
    const { key, ...shown } = body;
    const [event] = await rows(`SELECT * FROM events WHERE type = 'key.created' AND store_id = 31`);
    expect(event).toMatchObject({
      sequence: 1,
      occurred_at: service.clock(),
      actor_key_id: (await service.get('/v1/keys/me')).body.id,
      address: '127.0.0.1',
      request_id: headers.get('x-request-id'),
    });
    expect(JSON.parse(event.data)).toEqual({ object: shown });
  });
});

describe('the plan of a new key', () => {
  test.each([
    ['free', 60, 1000, 10_000],
    ['pro', 300, 10_000, 100_000],
    ['business', 1000, 100_000, 1_000_000],
  ])('%s allows %d requests per minute, %d per day and %d pets', async (plan, perMinute, perDay, pets) => {
    const { status, body } = await create({ name: 'x', plan });
    expect([status, body.plan, body.limits]).toEqual([201, plan, { perMinute, perDay, pets }]);
  });

  test('enterprise uses the limits in the request', async () => {
    const limits = { perMinute: 1, perDay: Number.MAX_SAFE_INTEGER };
    const { status, body } = await create({ name: 'x', plan: 'enterprise', limits });
    expect([status, body.limits]).toEqual([201, { ...limits, pets: null }]);
  });

  test.each([
    [7, 7],
    [null, null],
  ])('enterprise uses the pet limit in the request: %p', async (pets, shown) => {
    const { body } = await create({ name: 'x', plan: 'enterprise', limits: { perMinute: 1, perDay: 1, pets } });
    expect(body.limits.pets).toBe(shown);
    expect((await service.get(`/v1/keys/${body.id}`)).body.limits.pets).toBe(shown);
  });

  test('enterprise requires limits', async () => {
    const { status, body } = await create({ name: 'x', plan: 'enterprise' });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toBe('limits: is required on the enterprise plan');
  });

  test.each(['free', 'pro', 'business'])('%s refuses limits', async (plan) => {
    const { status, body } = await create({ name: 'x', plan, limits: { perMinute: 1, perDay: 1 } });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toBe(`limits: cannot be set on the ${plan} plan; only enterprise has custom limits`);
  });

  test.each([
    '{"perMinute":0,"perDay":1}',
    '{"perMinute":1.5,"perDay":1}',
    '{"perMinute":"1","perDay":1}',
    '{"perDay":1}',
  ])('refuses the limits %s', async (limits) => {
    const { status, body } = await create(`{"name":"x","plan":"enterprise","limits":${limits}}`);
    expect(status).toBe(400);
    expect(body.message).toStartWith('limits.perMinute: ');
  });
});

describe('the expiry of a new key', () => {
  test('is stored as sent', async () => {
    const { status, body } = await plain({ expiresAt: '2030-01-31T12:00:00.250Z' });
    expect([status, body.expiresAt]).toEqual([201, '2030-01-31T12:00:00.250Z']);
  });

  test.each([
    ['2030-01-31T13:30:00+01:30', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31T02:00:00.5-10:00', '2030-01-31T12:00:00.500Z'],
    ['2030-01-31t12:00:00z', '2030-01-31T12:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('may have any UTC offset, and is returned in UTC: %s', async (expiresAt, inUtc) => {
    const { status, body } = await plain({ expiresAt });
    expect([status, body.expiresAt]).toEqual([201, inUtc]);
  });

  test('may be null, which means never', async () => {
    expect((await plain({ expiresAt: null })).body.expiresAt).toBeNull();
  });

  test.each([
    ['in the past', '2020-01-01T00:00:00Z'],
    ['the current instant', '2026-11-20T12:00:00.000Z'],
    ['not a time', 'tomorrow'],
    ['not a date in the calendar', '2030-02-30T00:00:00Z'],
    ['in the year 10000 in UTC', '9999-12-31T23:59:59-01:00'],
    ['a time with an invalid offset', '2030-01-31T12:00:00+25:00'],
    ['a time without a time zone', '2030-01-31T12:00:00'],
    ['a number', 1_900_000_000],
  ])('is refused if it is %s', async (_, expiresAt) => {
    const { status, body } = await plain({ expiresAt });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toStartWith('expiresAt: must be ');
  });
});

describe('the store of a new key', () => {
  test('is created if its id is new, and is separate from store 1', async () => {
    const { body: issued } = await plain({ storeId: 77 });
    expect(issued.storeId).toBe(77);
    const theirs = (await service.post('/v1/pets', { name: 'Theirs', categoryId: 1 }, { key: issued.key })).body;
    const ours = (await service.post('/v1/pets', { name: 'Ours', categoryId: 1 })).body;

    expect([theirs.id, ours.id]).toEqual([1, 1]);
    expect((await service.get('/v1/pets', { key: issued.key })).body).toEqual([theirs]);
    expect((await service.get('/v1/pets?ids=1')).body).toEqual([ours]);
    expect((await service.get('/v1/pets/1', { key: issued.key })).body).toEqual(theirs);
    await service.call('DELETE', '/v1/pets/1');
    expect((await service.get('/v1/pets/1')).status).toBe(404);
    expect((await service.get('/v1/pets/1', { key: issued.key })).body).toEqual(theirs);
  });

  test('is shared by all keys with its id', async () => {
    const [one, other] = [await service.issueKey({ storeId: 78 }), await service.issueKey({ storeId: 78 })];
    const { body: pet } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key: one });
    expect((await service.get('/v1/pets', { key: other })).body).toEqual([pet]);
  });

  test('starts with the six initial categories', async () => {
    await plain({ storeId: 79 });
    expect(await rows('SELECT id, name FROM categories WHERE store_id = 79 ORDER BY id')).toEqual(
      ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'].map((name, index) => ({ id: index + 1, name })),
    );
  });

  test('may be any positive int64, returned digit for digit', async () => {
    const { status, text } = await create('{"name":"x","plan":"free","storeId":9223372036854775807}');
    expect(status).toBe(201);
    expect(text).toContain('"storeId":9223372036854775807,');
  });

  test.each(['0', '-1', '1.5', '"1"', 'null', '9223372036854775808'])('is refused if it is %s', async (storeId) => {
    const { status, body } = await create(`{"name":"x","plan":"free","storeId":${storeId}}`);
    expect(status).toBe(400);
    expect(body.message).toStartWith('storeId: ');
  });
});

describe('a key that cannot be created', () => {
  test('is refused with a list of all its invalid fields', async () => {
    const { status, body } = await create({
      name: '',
      plan: 'gold',
      limits: { perMinute: -1 },
      scopes: ['pets:read', 'pets:fly'],
      expiresAt: 'soon',
      storeId: 0,
    });
    expect(status).toBe(400);
    const fields = body.message.split('; ').map((fault: string) => fault.split(':')[0]);
    expect(fields).toEqual(['name', 'plan', 'limits.perMinute', 'limits.perDay', 'scopes[1]', 'expiresAt', 'storeId']);
  });

  test('is refused with the mismatch of plan and limits listed with its other invalid fields', async () => {
    const { body } = await create({ name: '', plan: 'enterprise' });
    expect(body.message).toBe(
      'name: must not be empty or only white space; limits: is required on the enterprise plan',
    );
  });

  test.each([
    ['no fields', '{}', 'name: is required; plan: is required'],
    ['no scope', '{"name":"x","plan":"free","scopes":[]}', 'scopes: must contain at least one scope'],
    [
      'scopes that are not a list',
      '{"name":"x","plan":"free","scopes":"pets:read"}',
      'scopes: must be a list of scopes',
    ],
    ['a list as the body', '[]', 'body: must be a JSON object'],
    ['null as the body', 'null', 'body: must be a JSON object'],
  ])('is refused with %s', async (_, sent, message) => {
    const { status, body } = await create(sent);
    expect([status, body]).toEqual([400, { code: 'invalid_request', message, status: 400 }]);
  });

  test('leaves no rows', async () => {
    const count = () => rows('SELECT (SELECT count(*) FROM keys) AS keys, (SELECT count(*) FROM stores) AS stores');
    const before = await count();
    await plain({ storeId: 4242, expiresAt: '2020-01-01T00:00:00Z' });
    expect(await count()).toEqual(before);
  });
});

describe('the secret of a key', () => {
  test('is not on disk: only its hash is stored', async () => {
    const { key, id } = (await plain({})).body;
    const isStoredAsHashOnly = async () => {
      const bytes = await storedBytes(service);
      expect(bytes.includes(createHash('sha256').update(key).digest())).toBe(true);
      expect(bytes.includes(id)).toBe(true);
      expect(bytes.includes(key)).toBe(false);
      expect(bytes.includes(key.slice(8, 38))).toBe(false);
    };
    await isStoredAsHashOnly();
    await service.restart();
    await isStoredAsHashOnly();
    expect((await service.get('/v1/pets', { key })).status).toBe(200);
  });
});
