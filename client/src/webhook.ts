import { readBytes } from './body.ts';
import { InvalidSignature, PetstoreError } from './errors.ts';
import type { Event } from './generated/schemas.ts';
import { parseJson, writeJson } from './json.ts';

type PlainHeaders = Record<string, string | readonly string[] | undefined>;

/**
 * The headers and body of a delivery, for servers that have no web `Request` object. The body must be the raw bytes or
 * text, not parsed JSON.
 */
export interface Delivered {
  headers: Headers | PlainHeaders;
  body: string | Uint8Array;
}

export interface VerifyOptions {
  /** Maximum number of seconds between the delivery's timestamp and the current time. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** @internal */
  now?: () => number;
}

export interface SignOptions {
  /** The `webhook-id` header. Default: the event's `id`, or `evt_test` if the event has no `id`. */
  id?: string | undefined;
  timestamp?: Date | undefined;
}

/** Minimum length of a secret in bytes. Shorter secrets could be guessed. The service creates secrets of 32 bytes. */
const MIN_BYTES = 24;
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Avoids `instanceof`, because a framework may have its own `Request` and `Headers`. */
const isHeaders = (headers: Delivered['headers']): headers is Headers => typeof headers.get === 'function';
const isRequest = (delivery: Request | Delivered): delivery is Request => 'arrayBuffer' in delivery;

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const readSecret = (secret: string): Uint8Array<ArrayBuffer> => {
  const [, text] = SECRET.exec(secret) ?? [];
  const bytes = text === undefined ? undefined : fromBase64(text);
  if (bytes && bytes.length >= MIN_BYTES) return bytes;
  throw new TypeError('secret: must be the `whsec_…` that the service showed for this webhook');
};

const refuse = (message: string): InvalidSignature =>
  new InvalidSignature(message, { code: 'invalid_signature', status: 400 });

const header = (headers: Delivered['headers'], name: string): string => {
  const given = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const [value, ...others] = [given].flat();
  if (others.length > 0) throw refuse(`the request has more than one ${name} header; a delivery has exactly one`);
  if (typeof value === 'string') return value;
  throw refuse(
    `the request has no ${name} header: it is not a delivery from the service, or a proxy removed the header`,
  );
};

const readBody = async (delivery: Request | Delivered): Promise<Uint8Array> => {
  const body = isRequest(delivery) ? await readBytes(delivery) : delivery.body;
  if (isRequest(delivery) && body === undefined)
    throw refuse('the body exceeds 16 MiB, so it is not a delivery from the service');
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('body: must be the raw text or bytes, not a parsed body');
};

const readSignatures = (text: string): Uint8Array<ArrayBuffer>[] =>
  text
    .split(' ')
    .filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))
    .map((part) => fromBase64(part.slice('v1,'.length)));

const contentOf = (id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
};

const importSecret = (secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', readSecret(secret), HMAC, false, [use]);

const isSigned = async (content: Uint8Array<ArrayBuffer>, secrets: readonly string[], signatures: string) => {
  for (const secret of secrets) {
    const key = await importSecret(secret, 'verify');
    for (const signature of readSignatures(signatures)) {
      // `verify` takes the same time for every wrong signature, so an attacker cannot use its duration to guess a
      // signature.
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
    }
  }
  return false;
};

/**
 * Returns the event if the delivery comes from the service and is recent (Standard Webhooks 1.0.0). Otherwise, throws
 * an `InvalidSignature`. While you rotate a secret, pass all valid secrets.
 */
export const verifyWebhook = async (
  delivery: Request | Delivered,
  secret: string | readonly string[] | undefined,
  options: VerifyOptions = {},
): Promise<Event> => {
  const { toleranceSeconds = 300, now = Date.now } = options;
  const secrets = [secret ?? []].flat();
  if (secrets.length === 0) throw new TypeError("secret: is missing; pass this webhook's `whsec_…`");
  secrets.forEach(readSecret);
  const id = header(delivery.headers, 'webhook-id');
  const timestamp = header(delivery.headers, 'webhook-timestamp');
  const signatures = header(delivery.headers, 'webhook-signature');
  const body = await readBody(delivery);
  if (!(await isSigned(contentOf(id, timestamp, body), secrets, signatures))) {
    throw refuse('no signature matches: the secret is wrong, or the body was changed after it was signed');
  }
  const ageSeconds = now() / 1000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    const distance = `${Math.abs(Math.round(ageSeconds))} s ${ageSeconds < 0 ? 'ahead of this clock' : 'old'}`;
    throw refuse(
      `the delivery is ${distance}, beyond the tolerance of ${toleranceSeconds} s: it was replayed, or this machine's clock is wrong`,
    );
  }
  try {
    return parseJson(new TextDecoder().decode(body)) as Event;
  } catch (cause) {
    throw new PetstoreError(`the body of event ${id} is signed but is not JSON`, { code: 'unexpected_answer', cause });
  }
};

/**
 * Signs an event as the service does, so that you can test a receiver without the service. Pass the result to
 * `verifyWebhook`, or send it with `fetch(url, { method: 'POST', ...delivery })`.
 */
export const signTestDelivery = async (
  event: object,
  secret: string,
  options: SignOptions = {},
): Promise<{ headers: Record<string, string>; body: string }> => {
  const { id = (event as { id?: string }).id ?? 'evt_test', timestamp = new Date() } = options;
  if (Number.isNaN(timestamp.getTime())) throw new TypeError('timestamp: must be a valid Date');
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const body = writeJson(event);
  const content = contentOf(id, seconds, new TextEncoder().encode(body));
  const signature = await crypto.subtle.sign('HMAC', await importSecret(secret, 'sign'), content);
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
    },
    body,
  };
};
