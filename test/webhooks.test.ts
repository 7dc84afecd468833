import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../src/delivery/signature.ts';
import { readRows } from './database.ts';
import { expectError } from './expect-answer.ts';
import { createTestClock, type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';

const HOUR_MS = 3_600_000;

type Arrived = { headers: Record<string, string>; text: string; event: any };

const startReceiver = () => {
  const arrived: Arrived[] = [];
  const waiting: ((one: Arrived) => void)[] = [];
  const receiver = { status: 200, arrived };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text();
      const one = { headers: request.headers.toJSON() as Record<string, string>, text, event: JSON.parse(text) };
      const next = waiting.shift();
      if (next) next(one);
      else arrived.push(one);
      return new Response(`said ${receiver.status}`, { status: receiver.status });
    },
  });
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${server.port}/`,
    next: () => {
      const one = arrived.shift();
      return one ? Promise.resolve(one) : new Promise<Arrived>((resolve) => waiting.push(resolve));
    },
    stop: () => server.stop(true),
  });
};

let service: Service;
let receiver: ReturnType<typeof startReceiver>;
let key: string;
let stores = 1;
beforeAll(async () => {
  // The clock starts at the current time, because the official webhook library rejects old timestamps.
  const clock = createTestClock(new Date().toISOString());
  service = await startService({ environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' }, clock });
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = startReceiver();
  stores += 1;
  const scopes = ['pets:read', 'pets:write', 'events:read', 'webhooks:write', 'keys:write'];
  key = await service.issueKey({ storeId: stores, scopes });
});
afterEach(() => receiver.stop());

const create = async (fields: object = {}) =>
  (await service.post('/v1/webhooks', { url: receiver.url, events: ['pet.created'], ...fields }, { key })).body;
const createPet = async (name = 'Rex') =>
  (await service.post('/v1/pets', `{"name":"${name}","categoryId":9223372036854775807}`, { key })).body;
const post = (path: string) => service.call('POST', `/v1/webhooks/${path}`, { key });
const deliveriesOf = async (id: string) => (await service.get(`/v1/webhooks/${id}/deliveries`, { key })).body;
const eventTypes = async () =>
  (await service.get('/v1/events', { key })).body.map(({ type }: { type: string }) => type);

const attempted = (id: string, attempts = 1): Promise<any[]> =>
  waitFor(
    `${attempts} attempts at each delivery are in the log`,
    () => deliveriesOf(id),
    (log) => log.length > 0 && log.every(({ attempt }: { attempt: number }) => attempt >= attempts),
  );

const expectSignedBy = ({ headers, text }: Arrived, ...secrets: string[]) => {
  const sent = {
    eventId: headers['webhook-id'] as string,
    timestampSeconds: Number(headers['webhook-timestamp']),
    body: text,
  };
  expect(headers['webhook-signature']).toBe(signatureHeaders(sent, secrets)['webhook-signature'] as string);
};

describe('a delivery', () => {
  test('contains the event as the event log shows it, and the official library verifies it', async () => {
    const { secret } = await create();
    const pet = await createPet('Zoë 🐕');
    const { headers, text, event } = await receiver.next();
    expect(new Webhook(secret).verify(text, headers)).toEqual(event);
    expect(headers['webhook-id']).toBe(event.id);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['user-agent']).toMatch(/^Petstore\//);
    const [shown] = (await service.get('/v1/events?type=pet.created', { key })).body;
    expect(text).toContain('"categoryId":9223372036854775807');
    expect(shown.data.object).toEqual(pet);
    expect((await service.get('/v1/events?type=pet.created', { key })).text).toBe(`[${text}]`);
  });

  test('is in the delivery log with its result', async () => {
    const { id } = await create();
    await createPet();
    const { event } = await receiver.next();
    expect(await attempted(id)).toEqual([
      {
        id: expect.stringMatching(/^dlv_[0-9A-Za-z]{24}$/),
        eventId: event.id,
        sequence: event.sequence,
        attempt: 1,
        state: 'delivered',
        responseStatus: 200,
        responseBody: 'said 200',
        durationMs: expect.any(Number),
        attemptedAt: new Date(service.clock()).toISOString(),
        nextAttemptAt: null,
      },
    ]);
  });

  test('that failed shows the time of its retry, which has the same ID', async () => {
    receiver.status = 503;
    const { id } = await create();
    await createPet();
    const first = await receiver.next();
    const [failed] = await attempted(id);
    expect(failed).toMatchObject({ attempt: 1, state: 'pending', responseStatus: 503, responseBody: 'said 503' });
    const wait = Date.parse(failed.nextAttemptAt) - service.clock();
    expect(wait).toBeWithin(4000, 6001);

    receiver.status = 200;
    service.clock.advance(wait);
    await service.runJobs();
    const second = await receiver.next();
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'] as string);
    expect(Number(second.headers['webhook-timestamp'])).toBeGreaterThan(Number(first.headers['webhook-timestamp']));
    expect(second.text).toBe(first.text);
    expect(await attempted(id, 2)).toMatchObject([{ attempt: 2, state: 'delivered', nextAttemptAt: null }]);
  });

  test('is not made for unsubscribed or earlier events', async () => {
    await createPet('Before');
    await create();
    const { id } = await createPet('First');
    await service.call('PATCH', `/v1/pets/${id}`, { key, body: { name: 'Renamed' } });
    await createPet('Second');
    const names = [await receiver.next(), await receiver.next()].map(({ event }) => event.data.object.name);
    expect(names.toSorted()).toEqual(['First', 'Second']);
  });
});

describe('testWebhook', () => {
  test('sends webhook.test only to this webhook, whatever its subscription', async () => {
    const { id } = await create();
    const other = await create({ events: ['webhook.test'] });
    const { status, body } = await post(`${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ attempt: 0, state: 'pending', responseStatus: null, attemptedAt: null });
    const { event } = await receiver.next();
    expect(event).toMatchObject({ id: body.eventId, type: 'webhook.test', data: { object: { id, enabled: true } } });
    expect(await attempted(id)).toMatchObject([{ id: body.id, state: 'delivered' }]);
    expect(await deliveriesOf(other.id)).toEqual([]);
    expect(await eventTypes()).toContain('webhook.test');
  });
});

describe('rotateWebhookSecret', () => {
  test('shows a new secret, and both secrets sign for exactly 24 hours', async () => {
    const { secret: old, ...webhook } = await create();
    const { status, body } = await post(`${webhook.id}/rotate-secret`);
    expect(status).toBe(200);
    const { secret, ...shown } = body;
    expect(shown).toEqual(webhook);
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(old);
    expect((await eventTypes()).at(-1)).toBe('webhook.updated');

    await createPet();
    const during = await receiver.next();
    expectSignedBy(during, secret, old);
    for (const one of [secret, old]) expect(new Webhook(one).verify(during.text, during.headers)).toBeTruthy();
    service.clock.advance(24 * HOUR_MS - 1);
    await createPet();
    expectSignedBy(await receiver.next(), secret, old);
    service.clock.advance(1);
    await createPet();
    expectSignedBy(await receiver.next(), secret);
  });

  test('expires the oldest of three secrets', async () => {
    const { id } = await create();
    const second = (await post(`${id}/rotate-secret`)).body.secret;
    const third = (await post(`${id}/rotate-secret`)).body.secret;
    await createPet();
    expectSignedBy(await receiver.next(), third, second);
  });

  test('rotates once, and replays a repeated request with a null secret', async () => {
    const { id, secret: old } = await create();
    const headers = { 'Idempotency-Key': `rotate ${id}`.replace(' ', '-') };
    const first = await service.call('POST', `/v1/webhooks/${id}/rotate-secret`, { key, headers });
    const again = await service.call('POST', `/v1/webhooks/${id}/rotate-secret`, { key, headers });
    expect(again.body).toEqual({ ...first.body, secret: null });
    await createPet();
    expectSignedBy(await receiver.next(), first.body.secret, old);
  });
});

describe('redeliverEvent', () => {
  test('sends a delivered event again, with the same ID', async () => {
    const { id } = await create();
    await createPet();
    const first = await receiver.next();
    const [delivered] = await attempted(id);
    const { status, body } = await post(`${id}/deliveries/${delivered.id}/redeliver`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: delivered.id, eventId: delivered.eventId, attempt: 0, state: 'pending' });
    await service.runJobs();
    const second = await receiver.next();
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'] as string);
    expect(await attempted(id)).toMatchObject([{ id: delivered.id, attempt: 1, state: 'delivered' }]);
  });

  test('finds only deliveries of this webhook', async () => {
    const [one, other] = [await create(), await create()];
    await createPet();
    const [delivery] = await attempted(one.id);
    expectError(await post(`${other.id}/deliveries/${delivery.id}/redeliver`), 'not_found', 404);
    expectError(await post(`${one.id}/deliveries/dlv_${'x'.repeat(24)}/redeliver`), 'not_found', 404);
    expectError(await post(`${one.id}/deliveries/nonsense/redeliver`), 'not_found', 404);
  });
});

describe('listDeliveries', () => {
  test('pages through each delivery exactly once, in both orders, even if all have the same timestamp', async () => {
    const { id } = await create();
    for (let index = 0; index < 7; index += 1) await createPet();
    for (let index = 0; index < 7; index += 1) await receiver.next();
    const all = (await attempted(id)).map((one) => one.id);
    expect(new Set(all).size).toBe(7);
    for (const order of ['asc', 'desc']) {
      const seen: string[] = [];
      let path: string | undefined = `/v1/webhooks/${id}/deliveries?limit=3&order=${order}`;
      while (path) {
        const { body, headers } = await service.get(path, { key });
        seen.push(...body.map((one: { id: string }) => one.id));
        const [, next]: string[] = /<https?:\/\/[^/]+([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
        path = next;
      }
      expect(seen).toEqual(order === 'asc' ? all : all.toReversed());
    }
  });
});

describe('a disabled webhook', () => {
  test('gets nothing, and once re-enabled gets only later events', async () => {
    receiver.status = 500;
    const { id } = await create();
    await createPet('Unheard');
    await receiver.next();
    await attempted(id);
    const switchTo = (enabled: boolean) => service.call('PATCH', `/v1/webhooks/${id}`, { key, body: { enabled } });
    await switchTo(false);
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', nextAttemptAt: null, attempt: 1 }]);
    await createPet('Missed');
    service.clock.advance(HOUR_MS);
    await service.runJobs();

    receiver.status = 200;
    await switchTo(true);
    await createPet('Heard');
    expect((await receiver.next()).event.data.object.name).toBe('Heard');
    expect(receiver.arrived).toEqual([]);
    expect(await deliveriesOf(id)).toHaveLength(2);
  });

  test('is disabled by a 410 response, with a webhook.disabled event', async () => {
    receiver.status = 410;
    const { id } = await create();
    await createPet();
    await receiver.next();
    await attempted(id);
    expect((await service.get(`/v1/webhooks/${id}`, { key })).body).toMatchObject({
      enabled: false,
      disabledReason: 'gone',
    });
    const events = (await service.get('/v1/events?type=webhook.disabled', { key })).body;
    expect(events).toMatchObject([{ actor: null, data: { object: { id, enabled: false, disabledReason: 'gone' } } }]);
    expect(events[0].data.previous).toEqual({ enabled: true, disabledReason: null });
    const again = await service.call('PATCH', `/v1/webhooks/${id}`, { key, body: { enabled: false } });
    expect(again.body.disabledReason).toBe('gone');
  });
});

describe('deleteWebhook', () => {
  test('removes the webhook with its log, and writes webhook.deleted', async () => {
    const { id, secret, ...webhook } = await create();
    await createPet();
    await attempted(id);
    const { status, text } = await service.call('DELETE', `/v1/webhooks/${id}`, { key });
    expect({ status, text }).toEqual({ status: 204, text: '' });
    for (const path of ['', '/deliveries']) {
      expectError(await service.get(`/v1/webhooks/${id}${path}`, { key }), 'not_found', 404);
    }
    expectError(await service.call('DELETE', `/v1/webhooks/${id}`, { key }), 'not_found', 404);
    expect(await readRows(service.place, 'SELECT id FROM deliveries WHERE webhook_id = $1', id)).toEqual([]);
    const [event] = (await service.get('/v1/events?type=webhook.deleted', { key })).body;
    expect(event.data.object).toEqual({ id, ...webhook });
  });
});
