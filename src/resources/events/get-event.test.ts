import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = await service.issueKey({ storeId: 2, scopes: ['pets:write', 'events:read'] });
  await service.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}', { key });
});
afterAll(() => service.stop());

describe('getEvent', () => {
  test('returns the event as the list shows it', async () => {
    const { body: events } = await service.get('/v1/events', { key });
    expect(events).toHaveLength(1);
    const { status, body } = await service.get(`/v1/events/${events[0].sequence}`, { key });
    expect(status).toBe(200);
    expect(body).toEqual(events[0]);
    expect(body.data.object.categoryId).toBe(9223372036854775807n);
  });

  test('shows an event about a key or webhook only with keys:write', async () => {
    const operator = await service.issueKey({ storeId: 2, scopes: ['events:read', 'keys:write', 'webhooks:write'] });
    await service.post(
      '/v1/webhooks',
      { url: 'https://shop.example/hooks', events: ['key.created'] },
      { key: operator },
    );
    const { body: events } = await service.get('/v1/events', { key: operator });
    const hidden = events.filter(({ type }: { type: string }) => /^(key|webhook)\./.test(type));
    expect(hidden.map(({ type }: { type: string }) => type)).toEqual(['key.created', 'key.created', 'webhook.created']);
    for (const event of hidden) {
      expect((await service.get(`/v1/events/${event.sequence}`, { key: operator })).body).toEqual(event);
      expectError(await service.get(`/v1/events/${event.sequence}`, { key }), 'not_found', 404);
    }
  });

  test.each(['999999', '0', '-1', '007', '+1', 'abc', 'evt_1CfY6mDn8UwGp3ZsJ0BvTk5Q', '9223372036854775808'])(
    'returns 404 for the unknown sequence %s',
    async (sequence) => {
      expectError(await service.get(`/v1/events/${sequence}`, { key }), 'not_found', 404);
    },
  );

  test('says how to list the sequences that exist', async () => {
    const { body } = await service.get('/v1/events/999999', { key });
    expect(body.message).toBe('There is no event with the sequence 999999. GET /events lists all events.');
  });

  test('returns 404 for a sequence that only another store has', async () => {
    const other = await service.issueKey({ storeId: 3, scopes: ['events:read', 'keys:write'] });
    expect((await service.get('/v1/events/1', { key: other })).body.type).toBe('key.created');
    expect((await service.get('/v1/events/2', { key })).body.type).toBe('pet.created');
    expectError(await service.get('/v1/events/2', { key: other }), 'not_found', 404);
  });
});
