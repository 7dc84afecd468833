import { hmacSha256 } from '../kernel/builtins.ts';
import type { RandomBytes } from '../kernel/ids.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const makeWebhookSecret = (randomBytes: RandomBytes): string =>
  PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');

const sign = (secret: string, content: string): string => {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (!secret.startsWith(PREFIX) || key.length < SECRET_BYTES)
    throw new Error('a webhook secret must have at least 32 bytes');
  return `v1,${Buffer.from(hmacSha256(key, content)).toString('base64')}`;
};

/** Returns the headers that Standard Webhooks 1.0.0 defines, with one signature for each valid secret. */
export const signatureHeaders = (
  { eventId, timestampSeconds, body }: { eventId: string; timestampSeconds: number; body: string },
  secrets: readonly string[],
): Record<string, string> => ({
  'webhook-id': eventId,
  'webhook-timestamp': String(timestampSeconds),
  'webhook-signature': secrets.map((secret) => sign(secret, `${eventId}.${timestampSeconds}.${body}`)).join(' '),
});
