import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readRows } from '../../../test/database.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const events = (where: string) =>
  readRows(service.place, `SELECT * FROM events WHERE ${where} ORDER BY store_id, sequence`);

describe('the outbox', () => {
  test('stores pet.created in the transaction of the pet', async () => {
    const { body, headers } = await service.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
    const [event] = await events(`pet_id = ${body.id}`);
    expect(event).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/),
      type: 'pet.created',
      store_id: 1,
      occurred_at: service.clock(),
      actor_key_id: expect.stringMatching(/^key_/),
      request_id: headers.get('x-request-id'),
      address: null,
    });
    expect(event.data).toBe(
      `{"object":{"id":${body.id},"name":"Rex","categoryId":9223372036854775807,"status":"available"}}`,
    );
  });

  test('stores key.created with the caller’s address, and without the secret', async () => {
    const { body } = await service.post('/v1/keys', { name: 'till', plan: 'free', storeId: 7 });
    const [event] = await events(`type = 'key.created' AND store_id = 7`);
    expect(event).toMatchObject({ sequence: 1, address: '127.0.0.1' });
    expect(event.data).not.toContain(body.key);
    expect(JSON.parse(event.data).object.id).toBe(body.id);
  });

  test('stores no event for a refused request', async () => {
    const before = (await events('1 = 1')).length;
    await service.post('/v1/pets', { name: '', categoryId: 1 });
    await service.post('/v1/keys', { name: 'till', plan: 'free', expiresAt: '2020-01-01T00:00:00Z' });
    expect(await events('1 = 1')).toHaveLength(before);
  });

  test('assigns sequences without gaps in each store to concurrent writers', async () => {
    const keys = [await service.issueKey({ storeId: 8 }), await service.issueKey({ storeId: 9 })];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        service.post(
          '/v1/pets',
          { name: index % 5 === 0 ? '' : 'Rex', categoryId: 1 },
          { key: keys[index % 2] as string },
        ),
      ),
    );
    for (const storeId of [8, 9]) {
      const sequences = (await events(`store_id = ${storeId}`)).map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      expect(sequences).toHaveLength(25);
    }
  });
});
