import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createMemoryLimiter } from '../src/limits/limiter.memory.ts';
import { keySubject } from '../src/limits/window.ts';
import { limitsOf } from '../src/resources/keys/key.ts';
import { createLimitProbe, DAY, type LimitProbe, left, MINUTE, SECOND, shown, together } from './limit-probe.ts';
import { createTestClock, type Service, startService } from './service.ts';

let service: Service;
let probe: LimitProbe;
beforeAll(async () => {
  service = await startService({ environment: { PETSTORE_TRUST_PROXY: '127.0.0.1' } });
  probe = createLimitProbe(service);
});
afterAll(() => service.stop());

const PLANS = [
  ['free', 60, 1000],
  ['pro', 300, 10_000],
  ['business', 1000, 100_000],
] as const;

describe('plans', () => {
  test.each(PLANS)('%s shows %d requests per minute and %d per day', async (plan, perMinute, perDay) => {
    const response = await probe.ask(await service.issueKey({ plan }));
    expect(shown(response)).toEqual({
      limit: perMinute,
      remaining: perMinute - 1,
      reset: probe.secondsFromNow(MINUTE),
    });
    expect(response.headers.get('ratelimit-policy')).toBe(`"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`);
    expect(response.headers.get('ratelimit')).toBe(`"minute";r=${perMinute - 1};t=60, "day";r=${perDay - 1};t=86400`);
  });

  test.each(PLANS)('%s admits exactly %d requests per minute', async (plan, perMinute) => {
    const key = await service.issueKey({ plan });
    expect(await together(perMinute, () => probe.ask(key))).toEqual({ admitted: perMinute });
    expect(await probe.codes(key, 1)).toEqual(['rate_limit_exceeded']);
    service.clock.advance(MINUTE);
    expect(await together(perMinute, () => probe.ask(key))).toEqual({ admitted: perMinute });
  });

  test.each(PLANS)('%s admits %d requests per minute and exactly %d per day', async (plan, _, perDay) => {
    const clock = createTestClock();
    const nothing = async () => undefined;
    const limiter = createMemoryLimiter({ clock, tallies: new Map(), saveWindows: nothing, saveBan: nothing });
    const subject = keySubject({ keyId: 'key_one', limits: limitsOf(plan, null) });
    let admitted = 0;
    let refusedBy: string | undefined;
    while (refusedBy !== 'day') {
      refusedBy = (await limiter.take(subject)).refused?.by;
      if (refusedBy === undefined) admitted += 1;
      if (refusedBy === 'minute') clock.advance(MINUTE);
    }
    expect(admitted).toBe(perDay);
    expect(clock()).toBeLessThan(createTestClock()() + DAY);
  });

  test('enterprise has the limits of the key', async () => {
    const response = await probe.ask(await probe.custom(7, 11));
    expect(shown(response)).toEqual({ limit: 7, remaining: 6, reset: probe.secondsFromNow(MINUTE) });
    expect(response.headers.get('ratelimit-policy')).toBe('"minute";q=7;w=60, "day";q=11;w=86400');
  });

  test('count each key separately', async () => {
    const [one, other] = [await probe.custom(2), await probe.custom(2)];
    expect(await probe.codes(one, 3)).toEqual(['admitted', 'admitted', 'rate_limit_exceeded']);
    expect(shown(await probe.ask(other)).remaining).toBe(1);
  });
});

describe('the X-RateLimit headers', () => {
  test('describe the window with the fewest requests left', async () => {
    const key = await probe.custom(5, 8);
    const dayEnds = probe.secondsFromNow(DAY);
    expect(shown(await probe.ask(key))).toEqual({ limit: 5, remaining: 4, reset: probe.secondsFromNow(MINUTE) });
    await probe.codes(key, 4);
    service.clock.advance(MINUTE);
    expect(shown(await probe.ask(key))).toEqual({ limit: 8, remaining: 2, reset: dayEnds });
  });

  test('describe the minute when both windows have the same number left', async () => {
    expect(shown(await probe.ask(await probe.custom(5, 5)))).toEqual({
      limit: 5,
      remaining: 4,
      reset: probe.secondsFromNow(MINUTE),
    });
  });

  test('keep the reset while the window lasts, and round it up to whole seconds', async () => {
    service.clock.advance(1);
    const key = await probe.custom(5);
    const reset = Math.floor(service.clock() / SECOND) + 61;
    expect(shown(await probe.ask(key)).reset).toBe(reset);
    service.clock.advance(MINUTE - 1);
    const response = await probe.ask(key);
    expect(shown(response).reset).toBe(reset);
    expect(response.headers.get('ratelimit')).toStartWith('"minute";r=3;t=1, ');
  });
});

describe('a request over the limit', () => {
  test('of the minute gets a 429 rate_limit_exceeded that describes the minute', async () => {
    const key = await probe.custom(2, 100);
    await probe.codes(key, 2);
    const response = await probe.ask(key);
    expect(response.status).toBe(429);
    expect(response.body).toEqual({
      code: 'rate_limit_exceeded',
      message: expect.stringContaining('60 seconds'),
      status: 429,
    });
    expect(shown(response)).toEqual({ limit: 2, remaining: 0, reset: probe.secondsFromNow(MINUTE) });
    expect(response.headers.get('retry-after')).toBe('60');
    expect(left(response)).toEqual([0, 98]);
  });

  test('of the day gets a 429 daily_quota_exceeded that describes the day', async () => {
    const key = await probe.custom(100, 2);
    await probe.codes(key, 2);
    service.clock.advance(SECOND);
    const response = await probe.ask(key);
    expect([response.status, response.body.code, response.body.status]).toEqual([429, 'daily_quota_exceeded', 429]);
    expect(shown(response)).toEqual({ limit: 2, remaining: 0, reset: probe.secondsFromNow(DAY - SECOND) });
    expect(response.headers.get('retry-after')).toBe('86399');
  });

  test('of both windows gets a 429 for the day', async () => {
    const key = await probe.custom(3, 3);
    expect(await probe.codes(key, 4)).toEqual(['admitted', 'admitted', 'admitted', 'daily_quota_exceeded']);
    expect(shown(await probe.ask(key)).reset).toBe(probe.secondsFromNow(DAY));
  });

  test.each([
    [0, '60'],
    [1, '60'],
    [SECOND, '59'],
    [57_999, '3'],
    [58_000, '2'],
    [58_001, '2'],
    [59_000, '1'],
    [59_999, '1'],
  ])('%d ms into the minute has Retry-After %s', async (passedMs, seconds) => {
    const key = await probe.custom(2, 100);
    await probe.codes(key, 2);
    service.clock.advance(passedMs);
    expect((await probe.ask(key)).headers.get('retry-after')).toBe(seconds);
  });

  test('is admitted after the time in Retry-After', async () => {
    const key = await probe.custom(2);
    service.clock.advance(333);
    await probe.codes(key, 2);
    service.clock.advance(10_500);
    service.clock.advance(Number((await probe.ask(key)).headers.get('retry-after')) * SECOND);
    expect(await probe.codes(key, 1)).toEqual(['admitted']);
  });

  test('gets a 429 before any other error', async () => {
    const key = await probe.custom(1);
    await probe.ask(key);
    expect((await service.call('PUT', '/v1/nowhere', { key, body: '{' })).body.code).toBe('api_key_banned');
    const other = await probe.custom(2);
    await probe.codes(other, 2);
    expect((await service.get('/v1/nowhere', { key: other })).body.code).toBe('rate_limit_exceeded');
  });

  test('stores nothing', async () => {
    const key = await probe.custom(1);
    await probe.ask(key);
    expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 77 }, { key })).status).toBe(429);
    expect((await service.get('/v1/pets?categoryId=77')).body).toEqual([]);
  });
});

describe('1,000 concurrent requests', () => {
  test('are admitted exactly up to the limit; the ban starts exactly at its threshold, and only once', async () => {
    const { body } = await service.post('/v1/keys', { name: 'x', plan: 'pro' });
    const send = () => service.post('/v1/pets', { name: 'Rex', categoryId: 99 }, { key: body.key });
    // If the database is too busy, a request that passed the rate limit may still get a 503.
    const { admitted = 0, unavailable = 0, ...refused } = await together(1000, send);
    expect(refused).toEqual({ rate_limit_exceeded: 299, api_key_banned: 401 });
    expect(admitted + unavailable).toBe(300);
    expect(await probe.rows('SELECT count(*) AS pets FROM pets WHERE category_id = 99')).toEqual([{ pets: admitted }]);
    expect(await probe.rows('SELECT count(*) AS bans FROM bans WHERE subject = $1', body.id)).toEqual([{ bans: 1 }]);
  });
});

describe('a restart', () => {
  test('keeps the windows', async () => {
    const key = await probe.custom(3, 100);
    const before = shown(await probe.ask(key));
    service.clock.advance(30 * SECOND);
    await service.restart();
    const response = await probe.ask(key);
    expect(shown(response)).toEqual({ ...before, remaining: 1 });
    expect(left(response)).toEqual([1, 98]);
    expect(await probe.codes(key, 2)).toEqual(['admitted', 'rate_limit_exceeded']);
  });

  test('keeps the refusals, the ban that they cause and its length', async () => {
    const key = await probe.custom(2);
    expect(await probe.codes(key, 3)).toEqual(['admitted', 'admitted', 'rate_limit_exceeded']);
    await service.restart();
    const { reset } = shown(await probe.ask(key));
    expect(reset).toBe(probe.secondsFromNow(2 * MINUTE));
    service.clock.advance(MINUTE);
    await service.restart();
    const response = await probe.ask(key);
    expect([response.body.code, response.headers.get('retry-after'), shown(response).reset]).toEqual([
      'api_key_banned',
      '60',
      reset,
    ]);
    service.clock.advance(MINUTE);
    await service.restart();
    await probe.codes(key, 3);
    expect((await probe.ask(key)).headers.get('retry-after')).toBe('240');
  });

  test('keeps the windows of callers without a key', async () => {
    await probe.stranger('192.0.2.1');
    await service.restart();
    expect(shown(await probe.stranger('192.0.2.1')).remaining).toBe(598);
  });

  test('finds the windows that the job saved, but no expired ones', async () => {
    const key = await probe.custom(3);
    await probe.ask(key);
    await service.runJobs();
    const saved = () => probe.rows('SELECT name, used FROM windows');
    expect(await saved()).toContainEqual({ name: 'minute', used: 1 });
    service.clock.advance(DAY);
    await probe.stranger('192.0.2.1');
    await service.runJobs();
    expect(await saved()).toEqual([{ name: 'minute', used: 1 }]);
  });
});
