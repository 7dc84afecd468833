import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readRows } from '../../../test/database.ts';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

const URL_TEXT = 'https://hooks.example.test/pets?shop=1';
const PLAIN_EVENTS = [
  ...['pet.created', 'pet.updated', 'pet.status_changed', 'pet.deleted'],
  ...['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.expired'],
  ...['category.created', 'category.updated', 'category.deleted'],
];

let service: Service;
let key: string;
let watcher: string;
beforeAll(async () => {
  service = await startService();
  key = await service.issueKey({ storeId: 2, scopes: ['webhooks:write', 'pets:read', 'orders:read'] });
  watcher = await service.issueKey({ storeId: 2, scopes: ['events:read', 'keys:write'] });
});
afterAll(() => service.stop());

const create = (body: unknown, headers: Record<string, string> = {}) =>
  service.post('/v1/webhooks', body, { key, headers });

describe('createWebhook', () => {
  test('returns the webhook with all event types that an ordinary key may read, and its secret', async () => {
    const { status, headers, body } = await create({ url: URL_TEXT });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^wh_[0-9A-Za-z]{24}$/),
      url: URL_TEXT,
      events: PLAIN_EVENTS,
      enabled: true,
      disabledReason: null,
      createdAt: new Date(service.clock()).toISOString(),
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{43}=$/),
    });
    expect(Buffer.from(body.secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(headers.get('location')).toBe(service.url(`/v1/webhooks/${body.id}`));
  });

  test('shows the secret only once', async () => {
    const { body } = await create({ url: URL_TEXT });
    const { secret, ...shown } = body;
    expect((await service.get(`/v1/webhooks/${body.id}`, { key })).body).toEqual(shown);
    const texts = [
      await service.get('/v1/webhooks?limit=100', { key }),
      await service.get('/v1/events?limit=100', { key: watcher }),
      await service.get('/v1/audit?limit=100'),
    ].map(({ text }) => text);
    for (const text of texts) {
      expect(text).toContain(body.id);
      expect(text).not.toContain(secret);
    }
  });

  test('gives every webhook its own secret', async () => {
    const secrets = [await create({ url: URL_TEXT }), await create({ url: URL_TEXT })].map(({ body }) => body.secret);
    expect(secrets[0]).not.toBe(secrets[1]);
  });

  test('stores the requested events, without duplicates', async () => {
    const { body } = await create({ url: URL_TEXT, events: ['order.placed', 'pet.created', 'order.placed'] });
    expect(body.events).toEqual(['order.placed', 'pet.created']);
  });

  test('ignores unknown fields, including those that only the service sets', async () => {
    const { status, body } = await create({ url: URL_TEXT, id: 'wh_mine', enabled: false, secret: 'whsec_mine' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ enabled: true });
    expect(body.id).not.toBe('wh_mine');
    expect(body.secret).not.toBe('whsec_mine');
  });

  test('writes webhook.created, with the webhook and without its secret', async () => {
    const { body } = await create({ url: URL_TEXT });
    const { secret, ...shown } = body;
    const [entry] = (await service.get('/v1/events?order=desc&limit=1', { key: watcher })).body;
    expect(entry).toMatchObject({ type: 'webhook.created', data: { object: shown } });
    expect(JSON.stringify(entry)).not.toContain(secret);
  });

  test('replays the first response for the same Idempotency-Key, with a secret of null', async () => {
    const before = (await service.get('/v1/webhooks?limit=100', { key })).body.length;
    const [first, again] = [
      await create({ url: URL_TEXT }, { 'Idempotency-Key': 'once' }),
      await create({ url: URL_TEXT }, { 'Idempotency-Key': 'once' }),
    ];
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual({ ...first.body, secret: null });
    expect((await service.get('/v1/webhooks?limit=100', { key })).body).toHaveLength(before + 1);
    const kept = await readRows(service.place, 'SELECT body FROM idempotency');
    expect(JSON.stringify(kept)).not.toContain('whsec_');
  });
});

describe('a store', () => {
  test('has at most as many webhooks as the plan of the key allows, enabled or not', async () => {
    const scopes = ['webhooks:write', 'pets:read', 'orders:read'];
    const own = await service.issueKey({ storeId: 4, plan: 'free', scopes });
    const add = () => service.post('/v1/webhooks', { url: URL_TEXT }, { key: own });
    const added = await Promise.all(Array.from({ length: 10 }, add));
    const refused = added.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const response of refused) expectError(response, 'store_full', 403);
    expect(refused[0]?.body.message).toBe(
      'The store has 5 webhooks; the limit on the free plan is 5. Delete one, or ask the operator for a larger plan.',
    );
    const id = added.find(({ status }) => status === 201)?.body.id;
    await service.call('PATCH', `/v1/webhooks/${id}`, { key: own, body: { enabled: false } });
    expect((await add()).status).toBe(403);
    await service.call('DELETE', `/v1/webhooks/${id}`, { key: own });
    expect((await add()).status).toBe(201);
    const larger = await service.issueKey({ storeId: 4, plan: 'pro', scopes });
    expect((await service.post('/v1/webhooks', { url: URL_TEXT }, { key: larger })).status).toBe(201);
    expect((await create({ url: URL_TEXT })).status).toBe(201);
  });
});

describe('the url of a new webhook', () => {
  const refused: [string, string][] = [
    ['http://example.org/', 'must be an https URL'],
    ['ftp://example.org/', 'must be an https URL'],
    ['https://ann:secret@example.org/', 'must not contain credentials'],
    ['https://example.org/#top', 'must not contain a fragment'],
    ['example.org', 'must be a URL'],
    ['', 'must be a URL'],
    [`https://example.org/${'x'.repeat(2029)}`, 'must be at most 2048 characters long'],
    ['https://..', 'must have a valid host name'],
    ['https://@example.org/', 'must not contain credentials'],
    ['https://example.org:0/', 'must not use port 0'],
    [`https://${'a'.repeat(64)}.example/`, 'must have a valid host name'],
    ['https://localhost/', 'must not point to a private address'],
    ['https://hooks.localhost./', 'must not point to a private address'],
    ['https://127.0.0.1/', 'must not point to a private address'],
    ['https://127.0.0.1./', 'must not point to a private address'],
    ['https://2130706433/', 'must not point to a private address'],
    ['https://0177.0.0.1/', 'must not point to a private address'],
    ['https://0x7f.1/', 'must not point to a private address'],
    ['https://169.254.169.254/latest/meta-data', 'must not point to a private address'],
    ['https://[::1]/', 'must not point to a private address'],
    ['https://[::ffff:10.0.0.1]/', 'must not point to a private address'],
    ['https://[fe80::1%25eth0]/', 'must be a URL'],
    ['https://intranet/', 'must have a full host name, such as hooks.example.org'],
  ];
  test.each(refused)('%s is refused: it %s', async (url, fault) => {
    const response = await create({ url });
    expectError(response, 'invalid_request', 400);
    expect(response.body.message).toBe(`url: ${fault}`);
  });

  test('may be 2048 characters long, and is stored as sent', async () => {
    const url = `https://EXAMPLE.org/${'x'.repeat(2028)}`;
    expect((await create({ url })).body.url).toBe(url);
  });

  test.each([
    [undefined, 'is required'] as const,
    [null, 'must be a string'] as const,
    [7, 'must be a string'] as const,
  ])('cannot be %p', async (url, fault) => {
    expect((await create({ url })).body.message).toBe(`url: ${fault}`);
  });
});

describe('the events of a new webhook', () => {
  test.each([[[]], [null], ['pet.created'], [['pet.born']], [['*']], [[7]]])('cannot be %j', async (events) => {
    const response = await create({ url: URL_TEXT, events });
    expectError(response, 'invalid_request', 400);
    expect(response.body.message).toStartWith('events');
  });

  test.each(['key.created', 'key.banned', 'webhook.created', 'webhook.test'])(
    'cannot include %s without the scope keys:write',
    async (type) => {
      const response = await create({ url: URL_TEXT, events: ['pet.created', type] });
      expectError(response, 'insufficient_scope', 403);
      expect(response.body.message).toStartWith(
        `The API key lacks the \`keys:write\` scope, which ${type} events require.`,
      );
    },
  );

  test('can include operator events with the scope keys:write', async () => {
    const operator = await service.issueKey({ storeId: 3, scopes: ['webhooks:write', 'keys:write'] });
    const events = ['key.revoked', 'webhook.deleted'];
    const { status, body } = await service.post('/v1/webhooks', { url: URL_TEXT, events }, { key: operator });
    expect({ status, events: body.events }).toEqual({ status: 201, events });
  });
});
