import { describe, expect, test } from 'bun:test';
import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { makeWebhookSecret, signatureHeaders } from './signature.ts';

const body = '{"name":"Zoë 🐕","categoryId":9223372036854775807}';
const sent = { eventId: 'evt_abc', timestampSeconds: Math.floor(Date.now() / 1000), body };
const newSecret = () => makeWebhookSecret(randomBytes);

describe('makeWebhookSecret', () => {
  test('returns the prefix and 32 random bytes in base64', () => {
    const bytes = new Uint8Array(32).fill(0xfb);
    expect(makeWebhookSecret(() => bytes)).toBe(`whsec_${Buffer.from(bytes).toString('base64')}`);
    expect(Buffer.from(newSecret().slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(newSecret()).not.toBe(newSecret());
  });
});

describe('signatureHeaders', () => {
  test('returns the event id, the time in seconds, and a signature of both and the body', () => {
    const secret = newSecret();
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`evt_abc.1700000000.${body}`).digest('base64');
    expect(signatureHeaders({ ...sent, timestampSeconds: 1_700_000_000 }, [secret])).toEqual({
      'webhook-id': 'evt_abc',
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,${signature}`,
    });
  });

  test('is accepted by the official library, which returns the body', () => {
    const secret = newSecret();
    expect(new Webhook(secret).verify(body, signatureHeaders(sent, [secret]))).toEqual(JSON.parse(body));
  });

  test('is accepted by the official library with either secret during a rotation', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signatureHeaders(sent, secrets);
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  const refused: [string, (secret: string) => { headers: Record<string, string>; text: string }][] = [
    ['was signed with another secret', () => ({ headers: signatureHeaders(sent, [newSecret()]), text: body })],
    ['has another body', (secret) => ({ headers: signatureHeaders(sent, [secret]), text: `${body} ` })],
    [
      'has another id',
      (secret) => ({ headers: { ...signatureHeaders(sent, [secret]), 'webhook-id': 'evt_b' }, text: body }),
    ],
    [
      'is ten minutes old',
      (secret) => ({
        headers: signatureHeaders({ ...sent, timestampSeconds: sent.timestampSeconds - 600 }, [secret]),
        text: body,
      }),
    ],
  ];
  test.each(refused)('is refused by the official library when the delivery %s', (_, make) => {
    const secret = newSecret();
    const { headers, text } = make(secret);
    expect(() => new Webhook(secret).verify(text, headers)).toThrow();
  });

  // The official Standard Webhooks library accepts an empty secret, although anyone could sign with it.
  test.each(['', 'whsec_', 'whsec_AAAA', `whsec_${Buffer.alloc(31).toString('base64')}`, 'x'.repeat(50)])(
    'throws for the invalid secret %p',
    (secret) => {
      expect(() => signatureHeaders(sent, [secret])).toThrow('a webhook secret must have at least 32 bytes');
    },
  );
});
