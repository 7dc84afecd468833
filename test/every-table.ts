import { ADMIN_KEY } from './admin-key.ts';
import { waitFor } from './wait-for.ts';

type Ask = { method?: string; body?: object; key?: string; idempotencyKey?: string };

export const askAt =
  (origin: string) =>
  async (path: string, { method = 'GET', body, key = ADMIN_KEY, idempotencyKey }: Ask = {}) => {
    const headers: Record<string, string> = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
  };

/**
 * Names that a careless copy would change. They contain quotes, escapes, line breaks, a BOM, an emoji and combining
 * marks.
 */
const NAMES = [
  'O\'Hara "the" cat',
  'back\\slash \\x41 \\u0041',
  'two\nlines\tand a tab',
  '\uFEFFRéx 🐶 e\u0301',
  '{"a": [1]}',
  'NULL',
];

/**
 * Adds rows to every table through the HTTP API, and returns an API key. The service must allow webhooks to private
 * addresses.
 */
export const fillEveryTable = async (origin: string, receiver: string): Promise<string> => {
  const ask = askAt(origin);
  const send = async (path: string, body: object, more: Ask = {}) => {
    const answer = await ask(path, { method: 'POST', body, ...more });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const { id: webhookId } = await send('/webhooks', { url: receiver, events: ['order.placed', 'pet.deleted'] });
  await send(`/webhooks/${webhookId}/rotate-secret`, {});
  const { id: keyId, key } = await send('/keys', { name: 'kéy', plan: 'pro' });
  const rotated = await send(`/keys/${keyId}/rotate`, { graceSeconds: 3600 });
  for (const name of NAMES) await send('/pets', { name, categoryId: 7 }, { key: rotated.key });
  const pets = Array.from({ length: 1000 }, (_, index) => ({ name: `Pet ${index}`, categoryId: 2 + (index % 30) }));
  await send('/pets/batch', { pets }, { idempotencyKey: 'batch-1' });
  await send('/categories', { name: 'Named' });
  // `JSON.stringify` cannot write the largest 64-bit integer, so the body is given as JSON text.
  const largest = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: '{"name": "Largest", "categoryId": 9223372036854775807}',
  });
  if (largest.status !== 201) throw new Error(await largest.text());
  const { id: orderId } = await send('/store/orders', { petId: 1 }, { idempotencyKey: 'order-1' });
  await send(`/store/orders/${orderId}/approve`, {});
  await send('/store/orders', { petId: 2 });
  await ask('/pets/3', { method: 'DELETE' });
  // This operation is deprecated, so the call adds a row to `deprecated_calls`.
  await ask('/pets/1');
  const limits = { perMinute: 1, perDay: 100 };
  const { key: banned } = await send('/keys', { name: 'greedy', plan: 'enterprise', limits });
  await waitFor('the key is banned', async () => (await ask('/pets', { key: banned })).body.code === 'api_key_banned');
  const sent = (deliveries: { state: string }[]) => deliveries.some(({ state }) => state === 'delivered');
  await waitFor('a webhook is delivered', async () => sent((await ask(`/webhooks/${webhookId}/deliveries`)).body));
  return key;
};
