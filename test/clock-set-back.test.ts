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

const isoFromNow = (ms: number) => new Date(service.clock() + ms).toISOString();

const waitOf = async (key: string) => {
  const response = await probe.ask(key);
  const wait = Number(response.headers.get('retry-after'));
  // Allows a few seconds of difference, because the service's stopwatch keeps running while the test clock stands
  // still.
  expect(shown(response).reset - Math.ceil(service.clock() / 1000)).toBeWithin(wait - 1, wait + 2);
  return { code: response.body.code, wait };
};

describe('when the clock is set back', () => {
  test('a banned key stays banned, even after a restart, and gets the remaining time', async () => {
    const key = await probe.custom(1);
    expect((await probe.codes(key, 2)).at(-1)).toBe('api_key_banned');
    service.clock.advance(-DAY);
    const first = await waitOf(key);
    expect(first.code).toBe('api_key_banned');
    expect(first.wait).toBeWithin(1, 121);
    const { body } = await service.get('/v1/usage', { key });
    expect(body.bannedUntil <= isoFromNow(2 * MINUTE) && body.bannedUntil > isoFromNow(0)).toBe(true);

    await service.restart();
    const second = await waitOf(key);
    expect(second.code).toBe('api_key_banned');
    expect(second.wait).toBeWithin(1, 121);
  });

  test('and corrected after a restart, a ban ends at its original time', async () => {
    const key = await probe.custom(1);
    await probe.codes(key, 2);
    service.clock.advance(-DAY);
    await service.restart();
    expect(await probe.codes(key, 1)).toEqual(['api_key_banned']);
    service.clock.advance(DAY + 2 * MINUTE - 1000);
    expect(await waitOf(key)).toEqual({ code: 'api_key_banned', wait: 1 });
    service.clock.advance(1000);
    expect(await probe.codes(key, 1)).toEqual(['admitted']);
  });

  test('a used-up window stays used up, even after a restart', async () => {
    const key = await probe.custom(5, 2);
    expect(await probe.codes(key, 3)).toEqual(['admitted', 'admitted', 'daily_quota_exceeded']);
    await service.runJobs();
    for (const again of [async () => undefined, service.restart]) {
      service.clock.advance(-2 * DAY);
      await again();
      const { code, wait } = await waitOf(key);
      expect(code).toBe('daily_quota_exceeded');
      expect(wait).toBeWithin(1, DAY / 1000 + 1);
    }
  });

  test('a new ban is reported in the time of the current clock', async () => {
    const key = await probe.custom(1);
    await probe.codes(key, 1);
    service.clock.advance(-DAY);
    expect(await probe.codes(key, 1)).toEqual(['api_key_banned']);
    const { body } = await service.get('/v1/audit');
    const banned = body.find(({ type }: { type: string }) => type === 'key.banned');
    const bannedUntil = Date.parse(banned.data.object.bannedUntil);
    expect(bannedUntil).toBeWithin(service.clock() + MINUTE, service.clock() + 2 * MINUTE + 1);
  });
});
