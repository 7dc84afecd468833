import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createLimitProbe, DAY, type LimitProbe, MINUTE, shown } from './limit-probe.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let probe: LimitProbe;
beforeEach(async () => {
  service = await startService({ environment: { PETSTORE_TRUST_PROXY: '127.0.0.1' } });
  probe = createLimitProbe(service);
});
afterEach(() => service.stop());

describe('a ban', () => {
  const untilBanned = async (key: string, perMinute: number) => {
    await probe.codes(key, 2 * perMinute - 1);
    return probe.ask(key);
  };

  test('starts when the number of refusals reaches the per-minute limit', async () => {
    const key = await probe.custom(3);
    const refused = ['rate_limit_exceeded', 'rate_limit_exceeded', 'api_key_banned', 'api_key_banned'];
    expect((await probe.codes(key, 7)).slice(3)).toEqual(refused);
  });

  test('lasts 2 minutes, as its headers show', async () => {
    const key = await probe.custom(3);
    service.clock.advance(500);
    const response = await untilBanned(key, 3);
    expect(response.status).toBe(429);
    expect(response.body).toEqual({ code: 'api_key_banned', message: expect.any(String), status: 429 });
    expect(response.headers.get('retry-after')).toBe('120');
    expect(shown(response)).toEqual({ limit: 3, remaining: 0, reset: probe.secondsFromNow(2 * MINUTE) });
    service.clock.advance(2 * MINUTE - 1);
    expect((await probe.ask(key)).headers.get('retry-after')).toBe('1');
    service.clock.advance(1);
    expect(shown(await probe.ask(key))).toEqual({ limit: 3, remaining: 2, reset: probe.secondsFromNow(MINUTE) });
  });

  test('also follows refusals for a used-up daily quota', async () => {
    const key = await probe.custom(2, 2);
    expect((await probe.codes(key, 4)).slice(2)).toEqual(['daily_quota_exceeded', 'api_key_banned']);
  });

  test('lasts twice as long each time, and 2 minutes again after 24 hours without a ban', async () => {
    const key = await probe.custom(2);
    for (const minutes of [2, 4, 8]) {
      expect((await untilBanned(key, 2)).headers.get('retry-after')).toBe(String(minutes * 60));
      service.clock.advance(minutes * MINUTE);
    }
    service.clock.advance(DAY);
    expect((await untilBanned(key, 2)).headers.get('retry-after')).toBe('120');
  });

  test('is not extended by further requests', async () => {
    const key = await probe.custom(1);
    const { reset } = shown(await untilBanned(key, 1));
    service.clock.advance(MINUTE);
    for (let sent = 0; sent < 5; sent += 1) expect(shown(await probe.ask(key)).reset).toBe(reset);
    service.clock.advance(MINUTE);
    expect(await probe.codes(key, 1)).toEqual(['admitted']);
  });

  test('affects only its own key', async () => {
    const [banned, other] = [await probe.custom(1), await probe.custom(1)];
    await untilBanned(banned, 1);
    expect(await probe.codes(other, 1)).toEqual(['admitted']);
  });

  test('is stored, together with its event, by the time the response reports it', async () => {
    const { body } = await service.post('/v1/keys', {
      ...{ name: 'x', plan: 'enterprise', storeId: 5 },
      limits: { perMinute: 2, perDay: 9 },
    });
    const { key, ...object } = body;
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
    await probe.codes(key, 3);
    const until = service.clock() + 2 * MINUTE;
    expect(await probe.rows('SELECT * FROM bans')).toEqual([
      { subject: body.id, banned_at: service.clock(), until, forgotten_at: until + DAY },
    ]);
    const events = await probe.rows(
      'SELECT sequence, type, data, actor_key_id, occurred_at FROM events WHERE store_id = 5 ORDER BY sequence',
    );
    expect(events.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'key.created'],
      [2, 'pet.created'],
      [3, 'key.banned'],
    ]);
    expect(events[2]).toMatchObject({ actor_key_id: null, occurred_at: service.clock() });
    const bannedUntil = new Date(until).toISOString();
    expect(JSON.parse(events[2].data)).toEqual({ object: { ...object, bannedUntil } });
  });
});
