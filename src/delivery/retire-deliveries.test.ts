import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readRows } from '../../test/database.ts';
import { type Service, startService } from '../../test/service.ts';

const DAY_MS = 86_400_000;

let service: Service;
beforeAll(async () => {
  service = await startService({ environment: { PETSTORE_EVENT_DAYS: '10', PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => service.stop());

const rows = (query: string) => readRows(service.place, query);
const createPets = async (count: number, ask: { key?: string } = {}): Promise<void> => {
  const pets = Array.from({ length: count }, () => ({ name: 'Rex', categoryId: 1 }));
  expect((await service.post('/v1/pets/batch', { pets }, ask)).status).toBe(201);
};

describe('expired events', () => {
  test('are removed in all stores, with their deliveries, and the sequence continues', async () => {
    const key = await service.issueKey({ storeId: 7, scopes: ['pets:write', 'events:read'] });
    await service.post('/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['pet.created'] });
    await createPets(1000);
    await createPets(500);
    await createPets(5, { key });
    await service.runJobs();
    service.clock.advance(8 * DAY_MS);
    // This request adds a usage record. Without it, the newest record would be over 7 days old when the cleanup runs.
    // The cleanup would then not trust the clock, and would delete nothing.
    expect((await service.get('/v1/pets')).status).toBe(200);
    service.clock.advance(2 * DAY_MS);
    await createPets(3, { key });
    await service.runJobs();
    expect((await rows('SELECT count(*) AS n FROM events'))[0].n).toBeGreaterThan(1500);

    service.clock.advance(1);
    await service.runJobs();
    const kept = await rows('SELECT sequence FROM events WHERE store_id = 7 ORDER BY sequence');
    expect(kept).toEqual([{ sequence: 7 }, { sequence: 8 }, { sequence: 9 }]);
    const cutoff = service.clock() - 10 * DAY_MS;
    expect(await rows(`SELECT count(*) AS n FROM events WHERE occurred_at < ${cutoff}`)).toEqual([{ n: 0 }]);
    expect(await rows(`SELECT count(*) AS n FROM deliveries WHERE created_at < ${cutoff}`)).toEqual([{ n: 0 }]);
    await createPets(1);
    expect((await rows('SELECT max(sequence) AS last FROM events WHERE store_id = 1'))[0].last).toBeGreaterThan(1500);
  });

  test('are removed from more stores than one query lists', async () => {
    const stores = Array.from({ length: 150 }, (_, index) => 1000 + index);
    for (const storeId of stores) {
      await createPets(1, { key: await service.issueKey({ storeId, scopes: ['pets:write'] }) });
    }
    const count = () => rows('SELECT count(DISTINCT store_id) AS n FROM events WHERE store_id >= 1000');
    expect(await count()).toEqual([{ n: stores.length }]);
    for (let days = 0; days < 2; days += 1) {
      service.clock.advance(5 * DAY_MS + 1);
      await createPets(1);
      await service.runJobs();
    }
    expect(await count()).toEqual([{ n: 0 }]);
  });

  test('are refused as a cursor', async () => {
    const { status, body } = await service.get('/v1/events/stream', { headers: { 'Last-Event-ID': '3' } });
    expect([status, body.code]).toEqual([400, 'invalid_cursor']);
  });
});
