import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

const READING = ['pets:read', 'orders:read'];

let service: Service;
let plain: string;
let operator: string;
let auditor: string;
beforeAll(async () => {
  service = await startService();
  plain = await service.issueKey({ storeId: 2, scopes: ['webhooks:write', 'events:read', ...READING] });
  operator = await service.issueKey({ storeId: 2, scopes: ['webhooks:write', 'keys:write', ...READING] });
  auditor = await service.issueKey({ storeId: 2, scopes: ['ops:read', 'webhooks:write'] });
});
afterAll(() => service.stop());

const SECRET_PATH = 'of-the-operator';
const add = async (key: string, url = 'https://example.org/') =>
  (await service.post('/v1/webhooks', { url, events: ['pet.created'] }, { key })).body.id;
const ids = async (key: string, path = '/v1/webhooks?limit=100'): Promise<string[]> =>
  (await service.get(path, { key })).body.map(({ id }: { id: string }) => id);

describe('a webhook created with keys:write', () => {
  let id: string;
  let deliveryId: string;
  beforeEach(async () => {
    id = await add(operator, `https://example.org/${SECRET_PATH}`);
    deliveryId = (await service.call('POST', `/v1/webhooks/${id}/test`, { key: operator })).body.id;
  });

  const ways: [string, string, unknown][] = [
    ['GET', '', undefined],
    ['PATCH', '', { enabled: false }],
    ['PATCH', '', { url: 'https://example.org/mine' }],
    ['DELETE', '', undefined],
    ['POST', '/test', undefined],
    ['POST', '/rotate-secret', undefined],
    ['GET', '/deliveries', undefined],
    ['POST', '/deliveries/{deliveryId}/redeliver', undefined],
  ];
  test.each(ways)('is hidden from other keys of its store: %s …%s', async (method, path, body) => {
    const call = (key: string) =>
      service.call(method, `/v1/webhooks/${id}${path.replace('{deliveryId}', deliveryId)}`, { key, body });
    const response = await call(plain);
    expectError(response, 'not_found', 404);
    expect(response.body.message).toBe(`There is no webhook with the id "${id}". GET /webhooks lists all webhooks.`);
    expect((await call(operator)).status).toBeLessThan(300);
  });

  test('is omitted from their lists, and every page is full', async () => {
    const own: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      own.push(await add(plain));
      await add(operator);
    }
    const seen: string[] = [];
    let next: string | undefined = '/v1/webhooks?limit=2';
    while (next) {
      const response = await service.get(next, { key: plain });
      seen.push(...response.body.map((webhook: { id: string }) => webhook.id));
      const link: string | undefined = /<[^>]*(\/v1[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      if (link) expect(response.body).toHaveLength(2);
      next = link;
    }
    expect(seen).toEqual(await ids(plain));
    expect(seen).toEqual(expect.arrayContaining(own));
    expect(seen).not.toContain(id);
    expect(await ids(operator)).toEqual(expect.arrayContaining([...own, id]));
  });

  test('does not count against the limit of the store', async () => {
    const [key, other] = [
      await service.issueKey({ storeId: 3, scopes: ['webhooks:write', ...READING] }),
      await service.issueKey({ storeId: 3, scopes: ['webhooks:write', 'keys:write', ...READING] }),
    ];
    await add(other);
    for (let count = 0; count < 100; count += 1) expect(await add(key)).toStartWith('wh_');
    expect((await service.post('/v1/webhooks', { url: 'https://example.org/' }, { key })).status).toBe(403);
    expect(await add(other)).toStartWith('wh_');
  });

  test('hides its URL in events and audit without that scope', async () => {
    service.clock.advance(1);
    await service.call('PATCH', `/v1/webhooks/${id}`, {
      key: operator,
      body: { url: `https://example.org/${SECRET_PATH}-new` },
    });
    const audit = await service.get('/v1/audit?limit=100&order=desc', { key: auditor });
    expect(audit.body[0]).toMatchObject({ type: 'webhook.updated', data: { object: { id, url: '…' } } });
    expect(audit.body[0].data.previous).toEqual({ url: '…' });
    const events = await service.get('/v1/events?limit=100&order=desc', { key: plain });
    for (const { text } of [audit, events]) expect(text).not.toContain(SECRET_PATH);
    expect((await service.get('/v1/audit?limit=100&order=desc')).text).toContain(`${SECRET_PATH}-new`);
  });
});

describe('a webhook of an ordinary key', () => {
  test('is visible to its store and the operator, and both can change it', async () => {
    const id = await add(plain);
    const [other, whose] = [
      await service.issueKey({ storeId: 2, scopes: ['webhooks:write', ...READING] }),
      await service.get(`/v1/webhooks/${id}`, { key: operator }),
    ];
    expect(whose.status).toBe(200);
    const change = await service.call('PATCH', `/v1/webhooks/${id}`, { key: other, body: { enabled: false } });
    expect(change.status).toBe(200);
  });

  test('becomes the operator’s when it subscribes to key events', async () => {
    const { key, id: keyId } = (
      await service.post('/v1/keys', { name: 'x', plan: 'pro', storeId: 2, scopes: ['webhooks:write', 'pets:read'] })
    ).body;
    const id = await add(key);
    await service.call('PATCH', `/v1/keys/${keyId}`, {
      body: { scopes: ['webhooks:write', 'pets:read', 'keys:write'] },
    });
    expect(await ids(plain)).toContain(id);
    const events = ['pet.created', 'key.revoked'];
    expect((await service.call('PATCH', `/v1/webhooks/${id}`, { key, body: { events } })).status).toBe(200);
    expect(await ids(plain)).not.toContain(id);
    expectError(await service.get(`/v1/webhooks/${id}`, { key: plain }), 'not_found', 404);
  });
});
