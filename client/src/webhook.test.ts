import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { InvalidSignature, signTestDelivery, verifyWebhook } from './index.ts';

const secretOf = (byte: number, length = 32) => `whsec_${Buffer.alloc(length, byte).toString('base64')}`;
const [SECRET, OTHER] = [secretOf(7), secretOf(8)];
const NOW = Date.parse('2026-11-20T12:00:00Z');
const body = JSON.stringify({ id: 'evt_1', sequence: 4, type: 'pet.created', data: { object: { name: 'Zoë 🐕' } } });
const now = () => NOW;

/**
 * Signs with the official Standard Webhooks package, because the client could make the same mistake in signing as in
 * verifying.
 */
const sign = (secret: string, at = NOW, text = body) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(secret).sign('evt_1', new Date(at), text),
});

describe('a delivery', () => {
  const headers = sign(SECRET);
  const forms: [string, Parameters<typeof verifyWebhook>[0]][] = [
    ['a Request', new Request('http://127.0.0.1/hooks', { method: 'POST', headers, body })],
    ['headers and text', { headers: new Headers(headers), body }],
    ['plain headers and bytes', { headers, body: new TextEncoder().encode(body) }],
    [
      'headers as lists',
      { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])), body },
    ],
    [
      'a Request of a framework',
      {
        headers: { get: (name: string) => new Headers(headers).get(name) },
        body: {},
        arrayBuffer: async () => new TextEncoder().encode(body).buffer,
      } as unknown as Request,
    ],
    [
      'headers in another letter case',
      {
        headers: {
          'Webhook-Id': 'evt_1',
          'Webhook-Timestamp': headers['webhook-timestamp'],
          'WEBHOOK-SIGNATURE': headers['webhook-signature'],
        },
        body,
      },
    ],
  ];
  test.each(forms)('returns its event when given as %s', async (_, delivery) => {
    expect(await verifyWebhook(delivery, SECRET, { now })).toEqual(JSON.parse(body));
  });

  test('is valid while a secret is rotated, on either side', async () => {
    const both = {
      ...headers,
      'webhook-signature': `${sign(OTHER)['webhook-signature']} ${headers['webhook-signature']}`,
    };
    expect(await verifyWebhook({ headers: both, body }, SECRET, { now })).toMatchObject({ id: 'evt_1' });
    expect(await verifyWebhook({ headers, body }, [OTHER, SECRET], { now })).toMatchObject({ id: 'evt_1' });
  });

  test('is valid within the tolerance, and with integers beyond 2^53', async () => {
    const large = '{"data":{"object":{"categoryId":9223372036854775807}}}';
    const old = sign(SECRET, NOW - 299_000, large);
    expect(await verifyWebhook({ headers: old, body: large }, SECRET, { now })).toMatchObject({
      data: { object: { categoryId: 9_223_372_036_854_775_807n } },
    });
  });

  test('that is signed but is not JSON causes an error that names the event', async () => {
    const call = verifyWebhook({ headers: sign(SECRET, NOW, '{'), body: '{' }, SECRET, { now });
    await expect(call).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: 'the body of event evt_1 is signed but is not JSON',
    });
  });
});

describe('a test delivery', () => {
  const event = { id: 'evt_9', type: 'pet.created', data: { object: { name: 'Zoë 🐕', categoryId: 2n ** 63n - 1n } } };

  test('passes both this check and the official package, as parts and as a request', async () => {
    const delivery = await signTestDelivery(event, SECRET);
    expect(await verifyWebhook(delivery, SECRET)).toEqual(event as never);
    const request = new Request('http://127.0.0.1/hooks', { method: 'POST', ...delivery });
    expect(await verifyWebhook(request, [OTHER, SECRET])).toEqual(event as never);
    expect(new Webhook(SECRET).verify(delivery.body, delivery.headers)).toMatchObject({ id: 'evt_9' });
    expect(delivery.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'evt_9' });
  });

  test('fails the check if it is old or signed with another secret, so that tests can cover both', async () => {
    const timestamp = new Date(NOW - 301_000);
    const old = await signTestDelivery({}, SECRET, { timestamp, id: 'evt_old' });
    expect(old.headers['webhook-id']).toBe('evt_old');
    await expect(verifyWebhook(old, SECRET, { now })).rejects.toThrow('301 s old');
    const delivery = await signTestDelivery({}, SECRET, { timestamp: new Date(NOW) });
    expect(delivery.headers['webhook-id']).toBe('evt_test');
    await expect(verifyWebhook(delivery, OTHER, { now })).rejects.toBeInstanceOf(InvalidSignature);
    const invalid = signTestDelivery({}, SECRET, { timestamp: new Date('soon') });
    await expect(invalid).rejects.toThrow('timestamp: must be a valid Date');
    await expect(signTestDelivery({}, 'whsec_short')).rejects.toThrow('secret: must be');
  });
});

describe('a request that is not a delivery of the service', () => {
  const fine = sign(SECRET);
  const refused: [string, Record<string, string>, string, string][] = [
    ['signed with another secret', sign(OTHER), body, 'no signature matches'],
    ['with a changed body', fine, `${body} `, 'no signature matches'],
    ['with a changed id', { ...fine, 'webhook-id': 'evt_2' }, body, 'no signature matches'],
    ['with a changed time', { ...fine, 'webhook-timestamp': String(NOW / 1000 + 1) }, body, 'no signature matches'],
    [
      'with another signature version',
      { ...fine, 'webhook-signature': fine['webhook-signature'].replace('v1,', 'v2,') },
      body,
      'no signature matches',
    ],
    [
      'with a truncated signature',
      { ...fine, 'webhook-signature': fine['webhook-signature'].slice(0, -4) },
      body,
      'no signature matches',
    ],
    ['without a signature', { ...fine, 'webhook-signature': '' }, body, 'no signature matches'],
    ['that is too old', sign(SECRET, NOW - 301_000), body, 'the delivery is 301 s old'],
    ['from the future', sign(SECRET, NOW + 301_000), body, 'the delivery is 301 s ahead of this clock'],
  ];
  test.each(refused)('%s is refused', async (_, headers, text, message) => {
    const call = verifyWebhook({ headers, body: text }, SECRET, { now });
    await expect(call).rejects.toBeInstanceOf(InvalidSignature);
    await expect(call).rejects.toThrow(message);
  });

  test('with a header sent twice is refused', async () => {
    const twice = { ...fine, 'webhook-id': ['evt_1', 'evt_2'] };
    const call = verifyWebhook({ headers: twice, body }, SECRET, { now });
    await expect(call).rejects.toThrow('more than one webhook-id header');
  });

  test('with a signed time that is not a number is refused', async () => {
    const key = Buffer.alloc(32, 7);
    const signature = `v1,${createHmac('sha256', key).update(`evt_1.soon.${body}`).digest('base64')}`;
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': 'soon', 'webhook-signature': signature };
    await expect(verifyWebhook({ headers, body }, SECRET, { now })).rejects.toBeInstanceOf(InvalidSignature);
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'without the header %s is refused',
    async (name) => {
      const { [name as keyof typeof fine]: _, ...headers } = fine;
      await expect(verifyWebhook({ headers, body }, SECRET, { now })).rejects.toThrow(`has no ${name}`);
    },
  );
});

describe('a body', () => {
  const headers = sign(SECRET);

  test('that is already parsed is refused', async () => {
    for (const parsed of [JSON.parse(body), undefined]) {
      const call = verifyWebhook({ headers, body: parsed }, SECRET, { now });
      await expect(call).rejects.toThrow('body: must be the raw text or bytes');
    }
  });

  test('that never ends is refused before it fills the memory', async () => {
    let taken = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        taken += 1;
        controller.enqueue(new Uint8Array(1 << 20));
      },
    });
    const request = new Request('http://127.0.0.1/hooks', { method: 'POST', headers, body: endless });
    await expect(verifyWebhook(request, SECRET, { now })).rejects.toThrow('the body exceeds 16 MiB');
    expect(taken).toBeLessThan(32);
  });
});

describe('a secret', () => {
  test.each([
    ['is missing', undefined],
    ['is cut off', 'whsec_A'],
    ['is empty', ''],
    ['is only the prefix', 'whsec_'],
    ['is short', secretOf(7, 23)],
    ['has no prefix', SECRET.slice(6)],
    ['is not base64', `whsec_${'!'.repeat(44)}`],
    ['is an empty list', []],
    ['is short next to a good one', [SECRET, secretOf(1, 8)]],
  ])('that %s is refused, whatever it signs', async (_, secret) => {
    const key = [secret].flat()[0]?.replace('whsec_', '') ?? '';
    const signature = createHmac('sha256', Buffer.from(key, 'base64'))
      .update(`evt_1.${NOW / 1000}.${body}`)
      .digest('base64');
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(NOW / 1000),
      'webhook-signature': `v1,${signature}`,
    };
    const call = verifyWebhook({ headers, body }, secret, { now });
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow('secret: ');
  });
});
