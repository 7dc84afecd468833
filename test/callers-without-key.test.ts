import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { makeSecret } from '../src/resources/keys/secret.ts';
import { createLimitProbe, type LimitProbe, MINUTE, shown, together } from './limit-probe.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let probe: LimitProbe;
const start = async (environment: Record<string, string>) => {
  service = await startService({ environment });
  probe = createLimitProbe(service);
};
afterEach(() => service.stop());

const remaining = async (from: string) => shown(await probe.stranger(from)).remaining;

describe('callers without a valid key', () => {
  beforeEach(() => start({ PETSTORE_TRUST_PROXY: '127.0.0.1' }));

  test('get a 401 with the window of their address, 600 a minute', async () => {
    const response = await probe.stranger('192.0.2.1');
    expect(response.status).toBe(401);
    expect(shown(response)).toEqual({ limit: 600, remaining: 599, reset: probe.secondsFromNow(MINUTE) });
    expect(response.headers.get('ratelimit-policy')).toBe('"minute";q=600;w=60');
    expect(response.headers.get('ratelimit')).toBe('"minute";r=599;t=60');
  });

  test('get exactly 600 responses a minute, then 429 until the minute is over', async () => {
    expect(await together(700, () => probe.stranger('192.0.2.1'))).toEqual({
      missing_api_key: 600,
      rate_limit_exceeded: 100,
    });
    service.clock.advance(MINUTE - 1500);
    const response = await probe.stranger('192.0.2.1');
    expect([response.status, response.body.code, response.headers.get('retry-after')]).toEqual([
      429,
      'rate_limit_exceeded',
      '2',
    ]);
    expect(shown(response)).toEqual({ limit: 600, remaining: 0, reset: probe.secondsFromNow(1500) });
    service.clock.advance(1500);
    expect(await remaining('192.0.2.1')).toBe(599);
  });

  test('share the window of their address, whatever is wrong with their keys', async () => {
    const unknown = makeSecret('production', (length) => 'x'.repeat(length));
    const wrong = [null, 'nonsense', unknown, `${unknown}x`];
    for (const [index, key] of wrong.entries()) {
      expect(shown(await probe.stranger('192.0.2.1', key)).remaining).toBe(599 - index);
    }
  });

  test('are never banned, because there is no key to ban', async () => {
    await together(600, () => probe.stranger('192.0.2.1'));
    expect(await together(1300, () => probe.stranger('192.0.2.1'))).toEqual({ rate_limit_exceeded: 1300 });
    service.clock.advance(MINUTE);
    expect((await probe.stranger('192.0.2.1')).status).toBe(401);
  });

  test('do not use up the requests of a valid key from the same address, or vice versa', async () => {
    const key = await probe.custom(5);
    await together(601, () => probe.stranger('192.0.2.1'));
    expect(shown(await probe.stranger('192.0.2.1', key))).toMatchObject({ limit: 5, remaining: 4 });
    await probe.stranger('192.0.2.2', key);
    expect(await remaining('192.0.2.2')).toBe(599);
  });
});

describe('the address of a caller', () => {
  beforeEach(() => start({ PETSTORE_TRUST_PROXY: '127.0.0.1,10.0.0.0/8' }));

  const same: [string, string, string][] = [
    ['an IPv4 address', '198.51.100.7', '198.51.100.7'],
    ['an IPv4-mapped IPv6 address', '198.51.100.7', '::ffff:198.51.100.7'],
    ['an IPv6 network of 64 bits', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['an IPv6 network in another notation', '2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9'],
    ['an IPv6 network with compressed zeros', '2001:db8::1', '2001:db8:0:0:1::'],
    ['the nearest address that is not a trusted proxy', '198.51.100.7', '203.0.113.9, 198.51.100.7, 10.1.2.3'],
    ['the last proxy before an invalid address', '10.1.2.3', '198.51.100.7, unknown, 10.1.2.3'],
  ];
  test.each(same)('is %s: %s and %s share one window', async (_, one, other) => {
    expect(await remaining(one)).toBe(599);
    expect(await remaining(other)).toBe(598);
  });

  const different: [string, string, string][] = [
    ['IPv4 addresses', '198.51.100.7', '198.51.100.8'],
    ['IPv6 networks', '2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['nearest addresses after the same claimed address', '203.0.113.9, 198.51.100.7', '203.0.113.9, 198.51.100.8'],
  ];
  test.each(different)('is distinct: two %s, %s and %s, have separate windows', async (_, one, other) => {
    expect(await remaining(one)).toBe(599);
    expect(await remaining(other)).toBe(599);
  });
});

describe('without a trusted proxy', () => {
  beforeEach(() => start({}));

  test('the address is the socket’s, whatever X-Forwarded-For contains', async () => {
    expect(await remaining('198.51.100.7')).toBe(599);
    expect(await remaining('198.51.100.8')).toBe(598);
  });

  test('X-Forwarded-For from an untrusted proxy is ignored', async () => {
    await service.stop();
    await start({ PETSTORE_TRUST_PROXY: '10.0.0.1' });
    expect(await remaining('198.51.100.7')).toBe(599);
    expect(await remaining('198.51.100.8')).toBe(598);
  });
});
