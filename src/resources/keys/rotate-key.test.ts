import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { createLimitProbe, type LimitProbe, left, SECOND } from '../../../test/limit-probe.ts';
import { askOnce, bytesOf } from '../../../test/raw-http.ts';
import { ADMIN_KEY, type Service, startService } from '../../../test/service.ts';
import { storedBytes } from '../../../test/stored-rows.ts';

let service: Service;
let probe: LimitProbe;
beforeAll(async () => {
  service = await startService({ environment: { PETSTORE_TRUST_PROXY: '127.0.0.1' } });
  probe = createLimitProbe(service);
});
afterAll(() => service.stop());

const issue = async (fields: object = {}) => {
  const { key, ...shown } = (await service.post('/v1/keys', { name: 'Front desk', plan: 'pro', ...fields })).body;
  return { key: key as string, id: shown.id as string, shown };
};
const rotate = (id: string, body?: unknown) => service.call('POST', `/v1/keys/${id}/rotate`, { body });
const rotated = async (id: string, graceSeconds?: number): Promise<string> =>
  (await rotate(id, graceSeconds === undefined ? undefined : { graceSeconds })).body.key;
const isGood = async (key: string) => (await service.get('/v1/pets', { key })).status === 200;
const events = (id: string) =>
  probe.rows(
    `SELECT * FROM events WHERE type = 'key.rotated' AND data LIKE '{"object":{"id":"' || CAST($1 AS text) || '"%' ORDER BY sequence`,
    id,
  );

describe('rotateKey', () => {
  test('returns the same key with a new secret', async () => {
    const { id, key, shown } = await issue({ storeId: 5, expiresAt: '2030-01-31T12:00:00.000Z' });
    const { status, body } = await rotate(id, {});
    expect(status).toBe(200);
    expect(body).toEqual({
      ...shown,
      last4: body.key.slice(-4),
      key: expect.stringMatching(/^ps_live_[0-9A-Za-z]{36}$/),
    });
    expect(body.key).not.toBe(key);
    expect((await service.get('/v1/keys/me', { key: body.key })).body).toEqual({ ...shown, last4: body.last4 });
  });

  test('replaces the old secret immediately', async () => {
    const { id, key } = await issue();
    const fresh = await rotated(id);
    expect([await isGood(key), await isGood(fresh)]).toEqual([false, true]);
    expect((await service.get('/v1/pets', { key })).body.code).toBe('invalid_api_key');
  });

  test('keeps the store and the limit windows', async () => {
    const { id, key } = await issue({ storeId: 6 });
    const { body: pet } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
    const fresh = await rotated(id);
    const response = await probe.ask(fresh);
    expect([response.body, left(response)]).toEqual([[pet], [298, 9998]]);
  });

  test('does not lift a ban', async () => {
    const { id, key } = await issue({ plan: 'enterprise', limits: { perMinute: 1, perDay: 9 } });
    expect(await probe.codes(key, 2)).toEqual(['admitted', 'api_key_banned']);
    expect(await probe.codes(await rotated(id), 1)).toEqual(['api_key_banned']);
  });

  test('writes key.rotated with actor and address, and without a secret', async () => {
    const { id, key, shown } = await issue({ storeId: 13 });
    const operator = await issue({ scopes: ['keys:write'] });
    const { body, headers } = await service.call('POST', `/v1/keys/${id}/rotate`, {
      key: operator.key,
      headers: { 'X-Forwarded-For': '192.0.2.7' },
    });
    const [event] = await events(id);
    expect(event).toMatchObject({
      store_id: 13,
      sequence: 2,
      occurred_at: service.clock(),
      actor_key_id: operator.id,
      address: '192.0.2.7',
      request_id: headers.get('x-request-id'),
    });
    const object = { ...shown, last4: body.last4 };
    expect(JSON.parse(event.data)).toEqual({ object, previous: { last4: key.slice(-4) } });
  });

  test('leaves other keys unchanged', async () => {
    const [one, other] = [await issue(), await issue()];
    await rotated(one.id);
    expect(await isGood(other.key)).toBeTrue();
  });

  test('keeps an expired key expired', async () => {
    const { id } = await issue({ expiresAt: new Date(service.clock() + 1).toISOString() });
    service.clock.advance(1);
    expect(await isGood(await rotated(id))).toBeFalse();
  });
});

describe('the grace period of a rotation', () => {
  test.each([1, 3600, 86_400])(
    'of %d seconds keeps the old secret valid for exactly that time',
    async (graceSeconds) => {
      const { id, key } = await issue();
      const fresh = await rotated(id, graceSeconds);
      expect([await isGood(key), await isGood(fresh)]).toEqual([true, true]);
      service.clock.advance(graceSeconds * SECOND - 1);
      expect(await isGood(key)).toBeTrue();
      service.clock.advance(1);
      expect([await isGood(key), await isGood(fresh)]).toEqual([false, true]);
    },
  );

  test('of 0 seconds ends immediately', async () => {
    const { id, key } = await issue();
    await rotated(id, 0);
    expect(await isGood(key)).toBeFalse();
  });

  test('lets both secrets share the limit windows', async () => {
    const { id, key } = await issue();
    const fresh = await rotated(id, 60);
    expect(left(await probe.ask(key))).toEqual([299, 9999]);
    expect(left(await probe.ask(fresh))).toEqual([298, 9998]);
  });

  test('ends with the next rotation, which starts its own', async () => {
    const { id, key: first } = await issue();
    const second = await rotated(id, 3600);
    const third = await rotated(id, 60);
    expect([await isGood(first), await isGood(second), await isGood(third)]).toEqual([false, true, true]);
    service.clock.advance(60 * SECOND);
    expect([await isGood(first), await isGood(second), await isGood(third)]).toEqual([false, false, true]);
  });

  test('ends when the key is revoked or expires', async () => {
    const one = await issue();
    const secrets = [one.key, await rotated(one.id, 3600)];
    await service.call('DELETE', `/v1/keys/${one.id}`);
    const other = await issue({ expiresAt: new Date(service.clock() + SECOND).toISOString() });
    secrets.push(other.key, await rotated(other.id, 3600));
    service.clock.advance(SECOND);
    for (const secret of secrets) expect(await isGood(secret)).toBeFalse();
  });

  test('persists after a restart', async () => {
    const { id, key } = await issue();
    const fresh = await rotated(id, 60);
    await service.restart();
    expect([await isGood(key), await isGood(fresh)]).toEqual([true, true]);
    service.clock.advance(60 * SECOND);
    expect([await isGood(key), await isGood(fresh)]).toEqual([false, true]);
  });
});

describe('the body of a rotation', () => {
  const send = (id: string, ...lines: string[]) =>
    askOnce(
      service.port,
      bytesOf(
        [`POST /v1/keys/${id}/rotate HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${ADMIN_KEY}`].join('\r\n'),
        `\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`,
      ),
    );

  test.each([
    ['no headers about a body', []],
    ['a length of 0', ['Content-Length: 0']],
    ['a length of 0 and a media type', ['Content-Length: 0', 'Content-Type: application/json']],
  ])('may be absent, with %s, and then there is no grace period', async (_, lines) => {
    const { id, key } = await issue();
    expect((await send(id, ...lines)).status).toBe(200);
    expect(await isGood(key)).toBeFalse();
  });

  const wrong: [string, RegExp][] = [
    ['{"graceSeconds":-1}', /^graceSeconds: must be an integer from 0 to 86400$/],
    ['{"graceSeconds":86401}', /^graceSeconds: /],
    ['{"graceSeconds":1.5}', /^graceSeconds: /],
    ['{"graceSeconds":"60"}', /^graceSeconds: /],
    ['{"graceSeconds":true}', /^graceSeconds: /],
    ['{"graceSeconds":null}', /^graceSeconds: /],
    ['{"graceSeconds":99999999999999999999}', /^graceSeconds: /],
    ['[]', /^body: must be a JSON object$/],
    ['null', /^body: must be a JSON object$/],
    ['60', /^body: must be a JSON object$/],
  ];
  test.each(wrong)('%s is refused, and the secret stays', async (sent, message) => {
    const { id, key } = await issue();
    const { status, body } = await rotate(id, sent);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toMatch(message);
    expect(await isGood(key)).toBeTrue();
    expect(await events(id)).toEqual([]);
  });
});

describe('a key that cannot be rotated', () => {
  test('is the admin key: 409 admin_key', async () => {
    const { id } = (await service.get('/v1/keys/me')).body;
    const { status, body } = await rotate(id);
    expect([status, body.code]).toEqual([409, 'admin_key']);
    expect(await isGood(ADMIN_KEY)).toBeTrue();
  });

  test('is a revoked key: 409', async () => {
    const { id } = await issue();
    await service.call('DELETE', `/v1/keys/${id}`);
    const { status, body } = await rotate(id, { graceSeconds: 60 });
    expect([status, body.code]).toEqual([409, 'invalid_status_transition']);
    expect(await events(id)).toEqual([]);
  });

  test('is an unknown key: 404, once the body is valid', async () => {
    expect((await rotate('key_000000000000000000000000')).body.code).toBe('not_found');
    const wrong = await rotate('key_000000000000000000000000', { graceSeconds: -1 });
    expect(wrong.body.code).toBe('invalid_request');
  });
});

test('neither the old nor the new secret of a rotated key is on disk', async () => {
  const { id, key } = await issue();
  const secrets = [key, await rotated(id, 3600)];
  const isStoredAsHashOnly = async () => {
    const bytes = await storedBytes(service);
    for (const secret of secrets) {
      expect(bytes.includes(createHash('sha256').update(secret).digest())).toBeTrue();
      expect(bytes.includes(secret.slice(8, 38))).toBeFalse();
    }
  };
  await isStoredAsHashOnly();
  await service.restart();
  await isStoredAsHashOnly();
});
