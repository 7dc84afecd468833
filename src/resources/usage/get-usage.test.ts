import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import {
  createLimitProbe,
  DAY,
  type LimitProbe,
  left,
  MINUTE,
  SECOND,
  shown,
  together,
} from '../../../test/limit-probe.ts';
import { type Service, startService } from '../../../test/service.ts';

const HOUR = 60 * MINUTE;

let service: Service;
let probe: LimitProbe;
beforeEach(async () => {
  service = await startService();
  probe = createLimitProbe(service);
});
afterEach(() => service.stop());

const usage = async (key: string) => (await service.get('/v1/usage', { key })).body;
const iso = (ms: number) => new Date(service.clock() + ms).toISOString();

describe('getUsage', () => {
  test('shows both windows of the caller and the hour by status, including counts not stored yet', async () => {
    const { body } = await service.post('/v1/keys', { name: 'x', plan: 'free' });
    await probe.codes(body.key, 3);
    service.clock.advance(10 * SECOND);
    await service.get('/v1/nowhere', { key: body.key });
    expect(await probe.rows('SELECT * FROM usage')).toEqual([]);
    expect(await usage(body.key)).toEqual({
      keyId: body.id,
      minute: { limit: 60, used: 4, remaining: 56, resetAt: iso(50 * SECOND) },
      day: { limit: 1000, used: 4, remaining: 996, resetAt: iso(DAY - 10 * SECOND) },
      pets: { limit: 10_000, used: 0, remaining: 10_000 },
      bannedUntil: null,
      hours: [{ hour: '2026-11-20T12:00:00.000Z', total: 4, byStatus: { '200': 3, '404': 1 } }],
    });
  });

  test('shows full windows and no hours for a key that was never used', async () => {
    const key = await probe.custom(7, 9);
    expect(await usage(key)).toMatchObject({
      minute: { limit: 7, used: 0, remaining: 7, resetAt: iso(MINUTE) },
      day: { limit: 9, used: 0, remaining: 9, resetAt: iso(DAY) },
      hours: [],
    });
  });

  test('adds stored and pending counts by hour, no matter how often the job runs', async () => {
    const key = await probe.custom(100);
    service.clock.set('2026-11-20T12:59:59.999Z');
    for (let round = 0; round < 3; round += 1) {
      await probe.codes(key, 2);
      await service.runJobs();
    }
    await probe.codes(key, 1);
    service.clock.advance(1);
    await probe.codes(key, 1);
    expect((await usage(key)).hours).toEqual([
      { hour: '2026-11-20T12:00:00.000Z', total: 7, byStatus: { '200': 7 } },
      { hour: '2026-11-20T13:00:00.000Z', total: 1, byStatus: { '200': 1 } },
    ]);
  });

  test('misses nothing and counts nothing twice while the job writes', async () => {
    const key = await probe.custom(1000);
    await probe.codes(key, 5);
    const writing = service.runJobs();
    const seen = await Promise.all(Array.from({ length: 20 }, () => usage(key)));
    await writing;
    for (const { hours } of seen) {
      const { byStatus } = hours[0];
      expect(byStatus['200']).toBeGreaterThanOrEqual(5);
      expect(byStatus['200']).toBeLessThan(25);
    }
    expect((await usage(key)).hours[0].total).toBe(25);
  });

  test('counts refused requests too, by status', async () => {
    const key = await probe.custom(2, 100);
    await probe.codes(key, 7);
    expect((await usage(key)).hours[0]).toMatchObject({ total: 7, byStatus: { '200': 2, '429': 5 } });
  });

  test('counts 1,000 concurrent requests exactly', async () => {
    const key = await service.issueKey({ plan: 'pro' });
    const { admitted, unavailable: _, ...refusals } = await together(1000, () => probe.ask(key));
    const response = await usage(key);
    // On a slow machine, some admitted requests fail with 503, because they do not get a database connection in time.
    const { '200': served, '429': refused, '503': failed = 0 } = response.hours[0].byStatus;
    expect([served, refused]).toEqual([admitted, Object.values(refusals).reduce((sum, count) => sum + count, 0)]);
    expect(served + failed).toBe(300);
    expect(response.hours[0].total).toBe(served + failed + refused);
    expect(response.minute).toMatchObject({ used: 300, remaining: 0 });
  });

  test('shows 30 days, and older hours are removed', async () => {
    const key = await probe.custom(100);
    await probe.codes(key, 1);
    await service.runJobs();
    service.clock.advance(28 * DAY);
    // Cleanup deletes nothing if the clock is far ahead of all stored data, so this request stores some recent usage.
    await probe.codes(await probe.custom(100), 1);
    service.clock.advance(2 * DAY);
    expect((await usage(key)).hours[0]).toMatchObject({ hour: '2026-11-20T12:00:00.000Z', total: 1 });
    await service.runJobs();
    expect((await usage(key)).hours[0].hour).toBe('2026-11-20T12:00:00.000Z');

    service.clock.advance(HOUR);
    expect((await usage(key)).hours[0].hour).toBe('2026-12-20T12:00:00.000Z');
    await service.runJobs();
    expect((await probe.rows('SELECT DISTINCT hour FROM usage ORDER BY hour')).map(({ hour }) => hour)).toEqual(
      ['2026-12-18T12:00:00.000Z', '2026-12-20T12:00:00.000Z', '2026-12-20T13:00:00.000Z'].map(Date.parse),
    );
  });

  test('shows only the usage of the caller', async () => {
    const [one, other] = [await probe.custom(5), await probe.custom(5)];
    await probe.codes(one, 3);
    expect(await usage(other)).toMatchObject({ minute: { used: 0 }, hours: [] });
  });

  test('reflects a plan change immediately, and keeps the counts', async () => {
    const { body } = await service.post('/v1/keys', { name: 'x', plan: 'pro' });
    await together(70, () => probe.ask(body.key));
    await service.call('PATCH', `/v1/keys/${body.id}`, { body: { plan: 'free' } });
    expect((await usage(body.key)).minute).toMatchObject({ limit: 60, used: 70, remaining: 0 });
  });
});

describe.each(['/v1/usage', '/v1/keys/me'])('%s', (path) => {
  const ask = (key: string, method = 'GET') => service.call(method, path, { key });

  test('does not count against the limits of the key', async () => {
    const key = await probe.custom(5, 5);
    await probe.ask(key);
    await ask(key);
    await ask(key, 'HEAD');
    expect(left(await probe.ask(key))).toEqual([3, 3]);
  });

  test('works if the minute or day limit is used up, and if the key is banned', async () => {
    for (const key of [await probe.custom(3), await probe.custom(4, 3)]) {
      await probe.codes(key, 4);
      expect((await ask(key)).status).toBe(200);
    }
    const banned = await probe.custom(1);
    expect(await probe.codes(banned, 2)).toEqual(['admitted', 'api_key_banned']);
    expect((await ask(banned)).status).toBe(200);
  });

  test('accepts any key, and returns 401 without one', async () => {
    expect((await ask(await service.issueKey({ scopes: ['events:read'] }))).status).toBe(200);
    expectError(await service.get(path, { key: null }), 'missing_api_key', 401);
  });
});

describe('the window that getUsage and getMyKey share', () => {
  test('admits 60 requests a minute for both together, and is shown in the headers', async () => {
    const key = await probe.custom(1000);
    for (let sent = 0; sent < 30; sent += 1) {
      const first = await service.get('/v1/usage', { key });
      expect(shown(first)).toEqual({ limit: 60, remaining: 59 - 2 * sent, reset: probe.secondsFromNow(MINUTE) });
      expect(first.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60');
      expect(shown(await service.get('/v1/keys/me', { key })).remaining).toBe(58 - 2 * sent);
    }
    for (const path of ['/v1/usage', '/v1/keys/me']) {
      const refused = await service.get(path, { key });
      expectError(refused, 'rate_limit_exceeded', 429);
      expect(refused.headers.get('retry-after')).toBe('60');
    }
    expect(await probe.codes(key, 1)).toEqual(['admitted']);
    service.clock.advance(MINUTE);
    expect((await service.get('/v1/usage', { key })).status).toBe(200);
  });

  test('is separate for each key', async () => {
    const [one, other] = [await probe.custom(5), await probe.custom(5)];
    await together(61, () => service.get('/v1/usage', { key: one }));
    expect((await service.get('/v1/usage', { key: other })).status).toBe(200);
  });

  test('refuses requests without ever causing a ban', async () => {
    const { body } = await service.post('/v1/keys', {
      ...{ name: 'x', plan: 'enterprise' },
      limits: { perMinute: 2, perDay: 100 },
    });
    const ask = () => service.get('/v1/usage', { key: body.key });
    expect(await together(300, ask)).toEqual({ admitted: 60, rate_limit_exceeded: 240 });
    expect(await probe.rows('SELECT * FROM bans')).toEqual([]);
    expect(await probe.codes(body.key, 1)).toEqual(['admitted']);
    service.clock.advance(MINUTE);
    expect(await usage(body.key)).toMatchObject({ bannedUntil: null, minute: { used: 0 }, day: { used: 1 } });
  });
});

describe('a ban', () => {
  test('is shown until it ends', async () => {
    const key = await probe.custom(1);
    await probe.codes(key, 2);
    const until = iso(2 * MINUTE);
    expect((await usage(key)).bannedUntil).toBe(until);
    service.clock.advance(2 * MINUTE - 1);
    await service.restart();
    expect((await usage(key)).bannedUntil).toBe(until);
    service.clock.advance(1);
    expect((await usage(key)).bannedUntil).toBeNull();
  });
});

describe('getKeyUsage', () => {
  const issue = async () => (await service.post('/v1/keys', { name: 'x', plan: 'free', storeId: 9 })).body;

  test('shows the operator the usage of any key, in any store, as its owner sees it', async () => {
    const { id, key } = await issue();
    await probe.codes(key, 2);
    const response = await service.get(`/v1/keys/${id}/usage`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(await usage(key));
    expect(response.body.hours[0].byStatus).toEqual({ '200': 2 });
  });

  test('requires ops:read, and costs one request', async () => {
    const { id, key } = await issue();
    expectError(await service.get(`/v1/keys/${id}/usage`, { key }), 'insufficient_scope', 403);
    const watcher = await service.issueKey({ scopes: ['ops:read'] });
    expect(shown(await service.get(`/v1/keys/${id}/usage`, { key: watcher }))).toMatchObject({ remaining: 999 });
  });

  test('shows the usage of a revoked key', async () => {
    const { id, key } = await issue();
    await probe.codes(key, 2);
    await service.call('DELETE', `/v1/keys/${id}`);
    expect((await service.get(`/v1/keys/${id}/usage`)).body.hours[0].total).toBe(2);
  });

  test.each(['key_000000000000000000000000', 'key_1', '1'])('finds no key %s', async (id) => {
    expectError(await service.get(`/v1/keys/${id}/usage`), 'not_found', 404);
  });
});

describe('statistics', () => {
  test('survive a restart, with the windows', async () => {
    const key = await probe.custom(10, 100);
    await probe.codes(key, 3);
    const before = await usage(key);
    await service.restart();
    const after = await usage(key);
    expect(after).toMatchObject({ minute: before.minute, day: before.day });
    expect(after.hours[0].byStatus['200']).toBe(before.hours[0].byStatus['200'] + 1);
  });

  test('record when a key was last used, in batches', async () => {
    const { id, key } = (await service.post('/v1/keys', { name: 'x', plan: 'free' })).body;
    const lastUsedAt = async () => (await service.get(`/v1/keys/${id}`)).body.lastUsedAt;
    service.clock.advance(5 * SECOND);
    await probe.codes(key, 2);
    const at = iso(0);
    expect(await lastUsedAt()).toBeNull();
    service.clock.advance(SECOND);
    await service.runJobs();
    expect(await lastUsedAt()).toBe(at);
    await service.get('/v1/nowhere', { key });
    await service.runJobs();
    expect(await lastUsedAt()).toBe(iso(0));
  });

  test('include only requests with a valid key, and no preflights', async () => {
    await service.get('/v1/pets', { key: null });
    await service.get('/v1/pets', { key: 'nonsense' });
    await service.call('OPTIONS', '/v1/pets');
    await service.get('/healthz');
    await service.runJobs();
    expect(await probe.rows('SELECT * FROM usage')).toEqual([]);
  });
});
