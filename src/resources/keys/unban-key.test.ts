import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createLimitProbe, type LimitProbe, MINUTE, shown } from '../../../test/limit-probe.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
let probe: LimitProbe;
beforeAll(async () => {
  service = await startService();
  probe = createLimitProbe(service);
});
afterAll(() => service.stop());

const PER_MINUTE = 2;

const ban = async (fields: object = {}) => {
  const limits = { perMinute: PER_MINUTE, perDay: 1000 };
  const { body } = await service.post('/v1/keys', { name: 'till', plan: 'enterprise', limits, storeId: 1, ...fields });
  expect((await probe.codes(body.key, 2 * PER_MINUTE)).at(-1)).toBe('api_key_banned');
  const { key, ...issued } = body;
  return { id: body.id as string, key: key as string, issued };
};
const unban = (id: string, ask = {}) => service.call('POST', `/v1/keys/${id}/unban`, ask);
const trailOf = async (id: string) =>
  (await service.get('/v1/audit?limit=100')).body.filter(({ data }: any) => data.object.id === id);

describe('unbanKey', () => {
  test('lets the key call again immediately, within its limits', async () => {
    const { id, key, issued } = await ban();
    expect(await unban(id)).toMatchObject({ status: 200, body: issued });
    expect(await probe.codes(key, 1)).toEqual(['rate_limit_exceeded']);
    service.clock.advance(MINUTE);
    expect(await probe.codes(key, PER_MINUTE)).toEqual(['admitted', 'admitted']);
  });

  test('clears the refusals, so that the next ban needs as many again', async () => {
    const { id, key } = await ban();
    await unban(id);
    expect(await probe.codes(key, PER_MINUTE)).toEqual(['rate_limit_exceeded', 'api_key_banned']);
  });

  test('resets the ban duration: the next lasts 2 minutes, and the one after it 4', async () => {
    const { id, key } = await ban();
    service.clock.advance(2 * MINUTE);
    expect((await probe.codes(key, 2 * PER_MINUTE)).at(-1)).toBe('api_key_banned');
    expect(shown(await probe.ask(key)).reset).toBe(probe.secondsFromNow(4 * MINUTE));
    service.clock.advance(1000);
    await unban(id);
    for (const minutes of [2, 4]) {
      service.clock.advance(MINUTE);
      expect((await probe.codes(key, 2 * PER_MINUTE)).at(-1)).toBe('api_key_banned');
      expect(shown(await probe.ask(key)).reset).toBe(probe.secondsFromNow(minutes * MINUTE));
      service.clock.advance(minutes * MINUTE);
    }
  });

  test('persists after a restart', async () => {
    const { id, key } = await ban();
    await unban(id);
    service.clock.advance(MINUTE);
    await service.restart();
    expect(await probe.codes(key, 1)).toEqual(['admitted']);
    expect((await service.get(`/v1/keys/${id}`)).body.bannedUntil).toBeNull();
  });

  test('writes key.unbanned in the store of the key, with actor and previous values', async () => {
    const { id, issued } = await ban({ storeId: 7 });
    const bannedUntil = new Date(service.clock() + 2 * MINUTE).toISOString();
    service.clock.advance(1000);
    await unban(id);
    const admin = (await service.get('/v1/keys/me')).body.id;
    const trail = await trailOf(id);
    expect(trail.map(({ type }: any) => type)).toEqual(['key.created', 'key.banned', 'key.unbanned']);
    expect(trail[2]).toMatchObject({
      actor: { keyId: admin },
      address: '127.0.0.1',
      storeId: 7,
      data: { object: issued, previous: { bannedUntil } },
    });
  });

  test('changes nothing and writes no event without a current ban', async () => {
    const { id, issued } = await ban();
    service.clock.advance(2 * MINUTE);
    expect(await unban(id)).toMatchObject({ status: 200, body: issued });
    const other = await ban();
    await unban(other.id);
    await unban(other.id);
    const { key, ...fresh } = (await service.post('/v1/keys', { name: 'new', plan: 'free' })).body;
    expect(await unban(fresh.id)).toMatchObject({ status: 200, body: fresh });
    const response = [...(await trailOf(id)), ...(await trailOf(other.id)), ...(await trailOf(fresh.id))];
    expect(response.filter(({ type }) => type === 'key.unbanned')).toHaveLength(1);
  });

  test('lifts the ban of only the given key', async () => {
    const [one, other] = [await ban(), await ban()];
    await unban(one.id);
    expect(await probe.codes(other.key, 1)).toEqual(['api_key_banned']);
  });

  test('takes effect once for an idempotency key', async () => {
    const { id, key } = await ban();
    const headers = { 'Idempotency-Key': 'pardon-1' };
    const first = await unban(id, { headers });
    service.clock.advance(MINUTE);
    expect((await probe.codes(key, 2 * PER_MINUTE)).at(-1)).toBe('api_key_banned');
    const again = await unban(id, { headers });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await probe.codes(key, 1)).toEqual(['api_key_banned']);
  });

  test('returns 404 for an unknown key', async () => {
    const { status, body } = await unban('key_000000000000000000000000');
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});

describe('a ban', () => {
  test('is shown with the key everywhere, until it ends', async () => {
    const { id, key } = await ban();
    const bannedUntil = new Date(service.clock() + 2 * MINUTE).toISOString();
    const shownAs = async () => [
      (await service.get(`/v1/keys/${id}`)).body.bannedUntil,
      (await service.get('/v1/keys/me', { key })).body.bannedUntil,
      (await service.get('/v1/keys?limit=100')).body.find((each: { id: string }) => each.id === id).bannedUntil,
    ];
    expect(await shownAs()).toEqual([bannedUntil, bannedUntil, bannedUntil]);
    const changed = await service.call('PATCH', `/v1/keys/${id}`, { body: { name: 'desk' } });
    const rotated = await service.call('POST', `/v1/keys/${id}/rotate`, { body: { graceSeconds: 3600 } });
    expect([changed.body.bannedUntil, rotated.body.bannedUntil]).toEqual([bannedUntil, bannedUntil]);
    await service.restart();
    expect(await shownAs()).toEqual([bannedUntil, bannedUntil, bannedUntil]);
    service.clock.advance(2 * MINUTE);
    expect(await shownAs()).toEqual([null, null, null]);
  });
});
