import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
let key: string;
let watcher: string;
let webhook: Record<string, unknown>;
beforeAll(async () => {
  service = await startService();
  key = await service.issueKey({ storeId: 2, scopes: ['webhooks:write', 'pets:read', 'orders:read'] });
  watcher = await service.issueKey({ storeId: 2, scopes: ['events:read', 'keys:write'] });
});
afterAll(() => service.stop());
beforeEach(async () => {
  const { body } = await service.post(
    '/v1/webhooks',
    { url: 'https://example.org/', events: ['pet.created'] },
    { key },
  );
  const { secret, ...shown } = body;
  webhook = shown;
});

const update = (body: unknown, as = key) => service.call('PATCH', `/v1/webhooks/${webhook.id}`, { key: as, body });
const show = async () => (await service.get(`/v1/webhooks/${webhook.id}`, { key })).body;
const latestEvent = async () => (await service.get('/v1/events?order=desc&limit=1', { key: watcher })).body[0];

describe('updateWebhook', () => {
  const changes: [string, object, object][] = [
    ['url', { url: 'https://example.org/new' }, { url: 'https://example.org/' }],
    ['events', { events: ['order.placed', 'pet.created'] }, { events: ['pet.created'] }],
    [
      'url and events together',
      { url: 'https://example.org/2', events: ['order.placed'] },
      { url: 'https://example.org/', events: ['pet.created'] },
    ],
  ];
  test.each(changes)('changes the %s, and records its previous value', async (_, change, previous) => {
    const { status, body } = await update(change);
    expect(status).toBe(200);
    expect(body).toEqual({ ...webhook, ...change });
    expect(await show()).toEqual(body);
    expect(await latestEvent()).toMatchObject({ type: 'webhook.updated', data: { object: body, previous } });
  });

  test('disables and enables the webhook, and shows the reason', async () => {
    const off = await update({ enabled: false });
    expect(off.body).toEqual({ ...webhook, enabled: false, disabledReason: 'switched_off' });
    expect(await latestEvent()).toMatchObject({
      type: 'webhook.updated',
      data: { object: off.body, previous: { enabled: true, disabledReason: null } },
    });
    const on = await update({ enabled: true });
    expect(on.body).toEqual(webhook);
    expect(await show()).toEqual(webhook);
    expect((await latestEvent()).data.previous).toEqual({ enabled: false, disabledReason: 'switched_off' });
  });

  const nothing: [string, object][] = [
    ['{}', {}],
    ['its current values', { url: 'https://example.org/', events: ['pet.created'], enabled: true }],
    ['unknown fields', { secret: 'whsec_mine', disabledReason: 'gone', createdAt: 'now' }],
  ];
  test.each(nothing)('changes nothing and writes no event for %s', async (_, change) => {
    const before = await latestEvent();
    const { status, body } = await update(change);
    expect(status).toBe(200);
    expect(body).toEqual(webhook);
    expect(await latestEvent()).toEqual(before);
  });

  const refused: [object, string][] = [
    [{ url: null }, 'url: must be a string'],
    [{ url: 'http://example.org/' }, 'url: must be an https URL'],
    [{ url: 'https://10.0.0.1/' }, 'url: must not point to a private address'],
    [{ url: 'https://a:b@example.org/' }, 'url: must not contain credentials'],
    [{ events: [] }, 'events: must contain at least one event type'],
    [{ events: null }, 'events: must be a list of event types'],
    [{ enabled: null }, 'enabled: must be true or false'],
    [{ enabled: 'false' }, 'enabled: must be true or false'],
    [{ url: 7, enabled: 7 }, 'url: must be a string; enabled: must be true or false'],
  ];
  test.each(refused)('refuses %j and changes nothing', async (change, message) => {
    const response = await update(change);
    expectError(response, 'invalid_request', 400);
    expect(response.body.message).toBe(message);
    expect(await show()).toEqual(webhook);
  });
});
