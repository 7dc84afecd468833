import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { InvalidSignature, verifyWebhook } from './index.ts';

const secretOf = (byte: number, length = 32) => `whsec_${Buffer.alloc(length, byte).toString('base64')}`;
const [SECRET, OTHER] = [secretOf(7), secretOf(8)];
const NOW = Date.parse('2026-11-20T12:00:00Z');
const body = JSON.stringify({ id: 'evt_1', sequence: 4, type: 'pet.created', data: { object: { name: 'Zoë 🐕' } } });
const now = () => NOW;

/** Creates the headers with the official package. */
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
      'a Request of the framework’s own kind',
      {
        headers: { get: (name: string) => new Headers(headers).get(name) },
        body: {},
        arrayBuffer: async () => new TextEncoder().encode(body).buffer,
      } as unknown as Request,
    ],
    [
      'headers in other letters',
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
  test.each(forms)('is its event, given as %s', async (_, delivery) => {
    expect(await verifyWebhook(delivery, SECRET, { now })).toEqual(JSON.parse(body));
  });

  test('holds while a secret is rotated, on either side', async () => {
    const both = {
      ...headers,
      'webhook-signature': `${sign(OTHER)['webhook-signature']} ${headers['webhook-signature']}`,
    };
    expect(await verifyWebhook({ headers: both, body }, SECRET, { now })).toMatchObject({ id: 'evt_1' });
    expect(await verifyWebhook({ headers, body }, [OTHER, SECRET], { now })).toMatchObject({ id: 'evt_1' });
  });

  test('holds within the tolerance, and with integers beyond 2^53 if they are asked for', async () => {
    const large = '{"sequence":9223372036854775807}';
    const old = sign(SECRET, NOW - 299_000, large);
    const event = await verifyWebhook({ headers: old, body: large }, SECRET, { now, bigint: true });
    expect(event.sequence).toBe(9_223_372_036_854_775_807n);
    await expect(verifyWebhook({ headers: old, body: large }, SECRET, { now })).rejects.toThrow('beyond 2^53');
  });
});

describe('what is no delivery of the service', () => {
  const fine = sign(SECRET);
  const refused: [string, Record<string, string>, string, string][] = [
    ['one that another secret signs', sign(OTHER), body, 'no signature fits'],
    ['one whose body was changed', fine, `${body} `, 'no signature fits'],
    ['one whose id was changed', { ...fine, 'webhook-id': 'evt_2' }, body, 'no signature fits'],
    ['one whose time was changed', { ...fine, 'webhook-timestamp': String(NOW / 1000 + 1) }, body, 'no signature fits'],
    [
      'one of another version',
      { ...fine, 'webhook-signature': fine['webhook-signature'].replace('v1,', 'v2,') },
      body,
      'no signature fits',
    ],
    [
      'one whose signature is cut off',
      { ...fine, 'webhook-signature': fine['webhook-signature'].slice(0, -4) },
      body,
      'no signature fits',
    ],
    ['one without a signature', { ...fine, 'webhook-signature': '' }, body, 'no signature fits'],
    ['one that is too old', sign(SECRET, NOW - 301_000), body, 'the delivery is 301 s old'],
    ['one from the future', sign(SECRET, NOW + 301_000), body, 'the delivery is 301 s ahead of this clock'],
  ];
  test.each(refused)('%s is refused', async (_, headers, text, message) => {
    const call = verifyWebhook({ headers, body: text }, SECRET, { now });
    await expect(call).rejects.toBeInstanceOf(InvalidSignature);
    await expect(call).rejects.toThrow(message);
  });

  test('one signed at a time that is no number is refused', async () => {
    const key = Buffer.alloc(32, 7);
    const signature = `v1,${createHmac('sha256', key).update(`evt_1.soon.${body}`).digest('base64')}`;
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': 'soon', 'webhook-signature': signature };
    await expect(verifyWebhook({ headers, body }, SECRET, { now })).rejects.toBeInstanceOf(InvalidSignature);
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('one without %s is refused', async (name) => {
    const { [name as keyof typeof fine]: _, ...headers } = fine;
    await expect(verifyWebhook({ headers, body }, SECRET, { now })).rejects.toThrow(`has no ${name}`);
  });
});

describe('what cannot be verified', () => {
  const headers = sign(SECRET);

  test('is a body that something has parsed already', async () => {
    for (const parsed of [JSON.parse(body), undefined]) {
      const call = verifyWebhook({ headers, body: parsed }, SECRET, { now });
      await expect(call).rejects.toThrow('body: must be the text or the bytes as they came');
    }
  });

  test('is a body without an end: it is refused before it fills the memory', async () => {
    let taken = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        taken += 1;
        controller.enqueue(new Uint8Array(1 << 20));
      },
    });
    const request = new Request('http://127.0.0.1/hooks', { method: 'POST', headers, body: endless });
    await expect(verifyWebhook(request, SECRET, { now })).rejects.toThrow('larger than any of the service');
    expect(taken).toBeLessThan(32);
  });
});

describe('a secret', () => {
  test.each([
    ['is missing', undefined],
    ['is cut off', 'whsec_A'],
    ['is empty', ''],
    ['is a prefix alone', 'whsec_'],
    ['is short', secretOf(7, 23)],
    ['has no prefix', SECRET.slice(6)],
    ['is no base64', `whsec_${'!'.repeat(44)}`],
    ['is none of none', []],
    ['is short beside a good one', [SECRET, secretOf(1, 8)]],
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
