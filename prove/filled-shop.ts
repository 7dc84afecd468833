import { ADMIN_KEY } from '../test/admin-key.ts';

const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
const PETS = 500;
const BATCH = 100;
const ORDERS = 100;

export const fillShop = async (origin: string): Promise<void> => {
  const send = async (method: string, path: string, body: object, key?: string): Promise<void> => {
    const extra = key === undefined ? {} : { 'Idempotency-Key': key };
    const init = { method, headers: { ...headers, ...extra }, body: JSON.stringify(body) };
    const { status } = await fetch(`${origin}/v1${path}`, init);
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
  };
  for (let at = 0; at < PETS; at += BATCH) {
    const pets = Array.from({ length: BATCH }, (_, index) => ({
      name: `Pet number ${at + index} of the shop`,
      categoryId: 1 + ((at + index) % 20),
    }));
    await send('POST', '/pets/batch', { pets }, `batch-${at}`);
  }
  for (let id = 1; id <= ORDERS; id += 1) await send('POST', '/store/orders', { petId: id }, `order-${id}`);
  for (let id = ORDERS; id <= 2 * ORDERS; id += 1) await send('PATCH', `/pets/${id}`, { name: `Pet ${id}, renamed` });
  for (let id = 1; id <= 10; id += 1) await send('POST', '/keys', { name: `Key ${id}`, plan: 'free' });
  await send('POST', '/webhooks', { url: 'https://example.com/events', events: ['order.placed'] });
};

const LISTS = [
  ...['/pets', '/pets?status=available', '/pets?status=pending', '/pets?sort=name', '/pets?categoryId=3'],
  ...['/store/orders', '/store/orders?status=placed', '/events', '/categories', '/keys', '/webhooks', '/audit'],
];

const readList = async (origin: string, path: string): Promise<string> => {
  const pages: string[] = [];
  let next: string | undefined = `${origin}/v1${path}${path.includes('?') ? '&' : '?'}limit=100`;
  while (next !== undefined && pages.length < 50) {
    const answer: Response = await fetch(next, { headers });
    pages.push(answer.status === 200 ? await answer.text() : String(answer.status));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return pages.join('\n').replaceAll(/"lastUsedAt":[^,}]*/g, '');
};

export const readShop = async (origin: string): Promise<string> => {
  const texts = [await readList(origin, '/store/inventory')];
  for (const path of LISTS) texts.push(await readList(origin, path));
  for (let id = 1; id <= PETS; id += 1) {
    const answer = await fetch(`${origin}/v1/pets/${id}`, { headers });
    texts.push(answer.status === 200 ? await answer.text() : String(answer.status));
  }
  return texts.join('\n');
};
