import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createLimitProbe, DAY, type LimitProbe, left, MINUTE, shown } from '../../../test/limit-probe.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
let probe: LimitProbe;
beforeAll(async () => {
  service = await startService();
  probe = createLimitProbe(service);
});
afterAll(() => service.stop());

const CUSTOM = { plan: 'enterprise', limits: { perMinute: 7, perDay: 70, pets: 700 } };

const issue = async (fields: object = {}) => {
  const { key, ...shown } = (await service.post('/v1/keys', { name: 'Front desk', plan: 'pro', ...fields })).body;
  return { key: key as string, id: shown.id as string, shown };
};
const update = (id: string, body: unknown) => service.call('PATCH', `/v1/keys/${id}`, { body });
const events = (id: string) =>
  probe.rows(
    `SELECT * FROM events WHERE type <> 'key.created' AND data LIKE '{"object":{"id":"' || CAST($1 AS text) || '"%' ORDER BY sequence`,
    id,
  );
const data = async (id: string) => (await events(id)).map((event) => JSON.parse(event.data));

const expectRefused = async (id: string, body: unknown, message: RegExp) => {
  const before = (await service.get(`/v1/keys/${id}`)).body;
  const response = await update(id, body);
  expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
  expect(response.body.message).toMatch(message);
  expect((await service.get(`/v1/keys/${id}`)).body).toEqual(before);
  expect(await events(id)).toEqual([]);
};

describe('the plan of a changed key', () => {
  test.each([
    ['free', { perMinute: 60, perDay: 1000, pets: 10_000 }],
    ['business', { perMinute: 1000, perDay: 100_000, pets: 1_000_000 }],
  ])('sets its limits: %s', async (plan, limits) => {
    const { id, shown } = await issue();
    const { status, body } = await update(id, { plan });
    expect([status, body]).toEqual([200, { ...shown, plan, limits }]);
    expect(await data(id)).toEqual([{ object: body, previous: { plan: 'pro', limits: shown.limits } }]);
  });

  test('can become enterprise with limits in the same request', async () => {
    const { id, shown } = await issue();
    const { status, body } = await update(id, CUSTOM);
    expect([status, body]).toEqual([200, { ...shown, ...CUSTOM }]);
  });

  test('keeps the limits of enterprise when it is sent again', async () => {
    const { id, shown } = await issue(CUSTOM);
    const { status, body } = await update(id, { plan: 'enterprise' });
    expect([status, body]).toEqual([200, shown]);
    expect(await events(id)).toEqual([]);
  });

  test('keeps its pet limit if other limits are set without one, and removes it for null', async () => {
    const { id } = await issue(CUSTOM);
    const others = { perMinute: 8, perDay: 80 };
    expect((await update(id, { limits: others })).body.limits).toEqual({ ...others, pets: 700 });
    expect((await update(id, { limits: { ...others, pets: null } })).body.limits).toEqual({ ...others, pets: null });
    const { id: fromPro } = await issue();
    const { body } = await update(fromPro, { plan: 'enterprise', limits: others });
    expect(body.limits).toEqual({ ...others, pets: null });
  });

  test('removes the custom limits when it changes from enterprise, permanently', async () => {
    const { id } = await issue(CUSTOM);
    expect((await update(id, { plan: 'free' })).body.limits).toEqual({ perMinute: 60, perDay: 1000, pets: 10_000 });
    const { status, body } = await update(id, { plan: 'enterprise' });
    expect([status, body.message]).toEqual([400, 'limits: is required on the enterprise plan']);
  });

  const impossible: [string, object, string, RegExp][] = [
    [
      'only limits on a plan with fixed limits',
      {},
      '{"limits":{"perMinute":1,"perDay":1}}',
      /^limits: cannot be set on the pro plan; only enterprise has custom limits$/,
    ],
    [
      'limits together with a plan with fixed limits',
      CUSTOM,
      '{"plan":"free","limits":{"perMinute":1,"perDay":1}}',
      /^limits: cannot be set on the free plan; only enterprise has custom limits$/,
    ],
    ['enterprise without limits', {}, '{"plan":"enterprise"}', /^limits: is required on the enterprise plan$/],
  ];
  test.each(impossible)('refuses %s', async (_, fields, body, message) => {
    await expectRefused((await issue(fields)).id, body, message);
  });

  test('keeps the counts: remaining is the new limit minus the used requests, from the next request', async () => {
    const { id, key } = await issue({ plan: 'free' });
    await probe.codes(key, 5);
    await update(id, { plan: 'pro' });
    expect(left(await probe.ask(key))).toEqual([294, 9994]);
    await update(id, { plan: 'enterprise', limits: { perMinute: 10, perDay: 100 } });
    const response = await probe.ask(key);
    expect(left(response)).toEqual([3, 93]);
    expect(response.headers.get('ratelimit-policy')).toBe('"minute";q=10;w=60, "day";q=100;w=86400');
  });

  test('leaves no requests until the window resets if more were used than the new limit allows', async () => {
    const { id, key } = await issue({ plan: 'enterprise', limits: { perMinute: 20, perDay: 100 } });
    const reset = probe.secondsFromNow(MINUTE);
    await probe.codes(key, 10);
    await update(id, { limits: { perMinute: 4, perDay: 100 } });
    const response = await probe.ask(key);
    expect([response.status, response.body.code, shown(response)]).toEqual([
      429,
      'rate_limit_exceeded',
      { limit: 4, remaining: 0, reset },
    ]);
    service.clock.advance(MINUTE);
    expect(left(await probe.ask(key))).toEqual([3, 89]);
    await update(id, { limits: { perMinute: 4, perDay: 11 } });
    expect(await probe.codes(key, 1)).toEqual(['daily_quota_exceeded']);
    service.clock.advance(DAY);
    expect(left(await probe.ask(key))).toEqual([3, 10]);
  });

  test('admits a rate-limited key immediately, and does not lift a ban', async () => {
    const { id, key } = await issue({ plan: 'enterprise', limits: { perMinute: 2, perDay: 100 } });
    expect(await probe.codes(key, 3)).toEqual(['admitted', 'admitted', 'rate_limit_exceeded']);
    await update(id, { limits: { perMinute: 3, perDay: 100 } });
    // One refusal has already been counted, and the third refusal causes a ban.
    const answers = ['admitted', 'rate_limit_exceeded', 'api_key_banned'];
    expect(await probe.codes(key, 3)).toEqual(answers);
    await update(id, { plan: 'business' });
    expect(await probe.codes(key, 1)).toEqual(['api_key_banned']);
  });
});
