import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readTogether } from './database.ts';
import { type Service, startService } from './service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const KEPT = {
  events: 'SELECT id FROM events ORDER BY id',
  responses: 'SELECT idempotency_key FROM idempotency ORDER BY idempotency_key',
  usage: 'SELECT key_id, hour, status FROM usage ORDER BY key_id, hour, status',
};

let service: Service;
let passedMs: number;
const pass = (ms: number): void => {
  passedMs += ms;
  service.clock.advance(ms);
};
const setClock = (byMs: number): void => service.clock.advance(byMs);
const addPet = () =>
  service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { headers: { 'Idempotency-Key': 'first' } });

/**
 * The service deletes rows only if a usage record is at least a day old and the clock has not been changed for an hour.
 * Therefore, 26 hours pass before each test.
 */
beforeEach(async () => {
  passedMs = 0;
  service = await startService({ stopwatch: () => passedMs });
  await service.get('/v1/pets');
  pass(25 * HOUR_MS);
  await addPet();
  pass(HOUR_MS);
  await service.runJobs();
});
afterEach(() => service.stop());

describe('a clock change', () => {
  test.each([1, -1, 410, 2000])(
    'by %i days deletes nothing and repeats nothing, even after a restart',
    async (days) => {
      const before = await readTogether(service.place, KEPT);
      expect([before.events.length, before.responses.length, before.usage.length]).toEqual([2, 1, 2]);
      setClock(days * DAY_MS);
      for (const again of [async () => undefined, service.restart]) {
        await again();
        expect((await addPet()).headers.get('idempotent-replayed')).toBe('true');
        pass(HOUR_MS - 1);
        await service.runJobs();
        const after = await readTogether(service.place, KEPT);
        expect([after.events, after.responses]).toEqual([before.events, before.responses]);
        expect(after.usage).toEqual(expect.arrayContaining(before.usage));
      }
    },
  );

  test('by 20 days is trusted after a day of use, not before', async () => {
    setClock(20 * DAY_MS);
    const stored = async () => (await readTogether(service.place, KEPT)).responses.length;
    for (let hour = 0; hour < 24; hour += 1) {
      await service.get('/v1/pets');
      await service.runJobs();
      expect(await stored()).toBe(1);
      pass(HOUR_MS);
    }
    pass(HOUR_MS);
    await service.runJobs();
    expect(await stored()).toBe(0);
  });

  test('forward expires an order once, and the pet can be ordered again', async () => {
    const petId = 1;
    const { body: order } = await service.post('/v1/store/orders', { petId });
    setClock(DAY_MS);
    await service.runJobs();
    setClock(-DAY_MS);
    await service.runJobs();
    expect((await service.get(`/v1/store/orders/${order.id}`)).body.status).toBe('expired');
    const { body: expired } = await service.get('/v1/events?type=order.expired');
    expect(expired).toHaveLength(1);
    expect((await service.post('/v1/store/orders', { petId })).status).toBe(201);
  });

  test('forward expires a key only until the clock is corrected', async () => {
    const expiresAt = new Date(service.clock() + DAY_MS).toISOString();
    const { body } = await service.post('/v1/keys', { name: 'till', plan: 'free', expiresAt });
    const statusOf = async () => (await service.get('/v1/pets', { key: body.key })).status;
    setClock(2 * DAY_MS);
    expect(await statusOf()).toBe(401);
    setClock(-2 * DAY_MS);
    expect(await statusOf()).toBe(200);
  });

  test('back keeps events in order, and the audit trail complete', async () => {
    for (const name of ['one', 'two', 'three']) {
      await service.post('/v1/keys', { name, plan: 'free' });
      setClock(-DAY_MS);
    }
    const { body: events } = await service.get('/v1/events?type=key.created');
    const names = events.map(({ data }: { data: { object: { name: string } } }) => data.object.name);
    expect(names.slice(-3)).toEqual(['one', 'two', 'three']);
    const { body: audit } = await service.get('/v1/audit');
    expect(audit).toHaveLength(events.length);
  });
});
