import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createLimitProbe, type LimitProbe, left, MINUTE, shown, together } from '../../../test/limit-probe.ts';
import { type Service, startService } from '../../../test/service.ts';
import { SCOPES } from '../../kernel/contract.ts';

let service: Service;
let probe: LimitProbe;
beforeAll(async () => {
  service = await startService();
  probe = createLimitProbe(service);
});
afterAll(() => service.stop());

const me = (key: string, method = 'GET') => service.call(method, '/v1/keys/me', { key });
const usage = (key: string) => service.get('/v1/usage', { key });

describe('getMyKey', () => {
  test('returns the calling key, without its secret', async () => {
    const { key, ...issued } = (await service.post('/v1/keys', { name: 'till', plan: 'pro', storeId: 9 })).body;
    const { status, body } = await me(key);
    expect([status, body]).toEqual([200, issued]);
  });

  test.each([...SCOPES])('accepts any key, such as one with only the scope %s', async (scope) => {
    const { status, body } = await me(await service.issueKey({ scopes: [scope] }));
    expect([status, body.scopes]).toEqual([200, [scope]]);
  });

  test('shows a change to the key immediately', async () => {
    const { key, id } = (await service.post('/v1/keys', { name: 'till', plan: 'free' })).body;
    const changed = await service.call('PATCH', `/v1/keys/${id}`, { body: { name: 'desk', plan: 'pro' } });
    expect((await me(key)).body).toEqual(changed.body);
  });

  test('answers HEAD without a body, and counts it', async () => {
    const key = await service.issueKey();
    const { status, text, headers } = await me(key, 'HEAD');
    expect([status, text, shown({ headers }).remaining]).toEqual([200, '', 59]);
    expect(shown(await me(key)).remaining).toBe(58);
  });

  test.each(['POST', 'PATCH', 'DELETE'])('returns 405 for %s', async (method) => {
    const { status, body } = await service.call(method, '/v1/keys/me', { body: {} });
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
  });
});

describe('a request by a key about itself', () => {
  test('does not count against the limits of the key', async () => {
    const key = await service.issueKey({ plan: 'pro' });
    expect(left(await probe.ask(key))).toEqual([299, 9999]);
    for (let sent = 0; sent < 5; sent += 1) await Promise.all([me(key), usage(key)]);
    expect(left(await probe.ask(key))).toEqual([298, 9998]);
  });

  test('counts against one window of 60 requests a minute, which every response shows', async () => {
    const key = await service.issueKey({ plan: 'business' });
    const reset = probe.secondsFromNow(MINUTE);
    const first = await me(key);
    expect(shown(first)).toEqual({ limit: 60, remaining: 59, reset });
    expect(first.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60');
    expect(shown(await usage(key))).toEqual({ limit: 60, remaining: 58, reset });
    expect(shown(await me(key))).toEqual({ limit: 60, remaining: 57, reset });
  });

  test('is admitted exactly 60 times a minute, no matter how many arrive together', async () => {
    const key = await service.issueKey();
    let sent = 0;
    const send = () => (sent++ % 2 === 0 ? me(key) : usage(key));
    expect(await together(100, send)).toEqual({ admitted: 60, rate_limit_exceeded: 40 });
    const refused = await me(key);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    service.clock.advance(MINUTE);
    expect(shown(await me(key)).remaining).toBe(59);
  });

  test('never leads to a ban or to other refusals', async () => {
    const key = await service.issueKey({ plan: 'free' });
    expect(await together(300, () => me(key))).toEqual({ admitted: 60, rate_limit_exceeded: 240 });
    expect(await probe.codes(key, 1)).toEqual(['admitted']);
    expect(await probe.rows('SELECT * FROM bans')).toEqual([]);
  });

  test('works even if the minute limit is used up', async () => {
    const key = await probe.custom(2);
    expect((await probe.codes(key, 3)).at(-1)).toBe('rate_limit_exceeded');
    expect([(await me(key)).status, (await usage(key)).status]).toEqual([200, 200]);
  });

  test('works even if the day limit is used up', async () => {
    const key = await probe.custom(5, 2);
    expect((await probe.codes(key, 3)).at(-1)).toBe('daily_quota_exceeded');
    expect([(await me(key)).status, (await usage(key)).status]).toEqual([200, 200]);
  });

  test('works even if the key is banned, and does not extend the ban', async () => {
    const key = await probe.custom(1);
    expect((await probe.codes(key, 2)).at(-1)).toBe('api_key_banned');
    const { reset } = shown(await probe.ask(key));
    expect([(await me(key)).status, (await usage(key)).status]).toEqual([200, 200]);
    expect(shown(await probe.ask(key)).reset).toBe(reset);
  });

  test('counts separately for each key', async () => {
    const [one, other] = [await service.issueKey(), await service.issueKey()];
    await together(60, () => me(one));
    expect((await me(one)).status).toBe(429);
    expect((await me(other)).status).toBe(200);
  });

  test('keeps its count after a restart', async () => {
    const key = await service.issueKey();
    await me(key);
    await service.restart();
    expect(shown(await me(key)).remaining).toBe(58);
  });

  test('gets 401 once the key is revoked', async () => {
    const { key, id } = (await service.post('/v1/keys', { name: 'till', plan: 'free' })).body;
    await service.call('DELETE', `/v1/keys/${id}`);
    for (const response of [await me(key), await usage(key)])
      expect([response.status, shown(response).limit]).toEqual([401, 600]);
  });
});
