const CALLERS = 8;
const PAUSE_MS = 8;
const KEPT = 200;

type Options = { origin: string; key: string };
type Pet = { id: number };

export const startSoakLoad = ({ origin, key }: Options) => {
  const counts = { requests: 0, failed: 0 };
  const statuses: Record<string, number> = {};
  const pets: number[] = [];

  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const type = body ? { 'Content-Type': 'application/json' } : {};
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...type, ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    counts.requests += 1;
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    return { status: answer.status, text };
  };
  const some = () => pets[Math.floor(Math.random() * pets.length)] ?? 1;
  const create = async (headers: Record<string, string> = {}): Promise<void> => {
    const { status, text } = await ask('POST', '/v1/pets', { name: 'Soak', categoryId: 1 }, headers);
    if (status === 201) pets.push((JSON.parse(text) as Pet).id);
  };
  const order = async (): Promise<void> => {
    const { status, text } = await ask('POST', '/v1/store/orders', { petId: some() });
    if (status === 201) await ask('POST', `/v1/store/orders/${(JSON.parse(text) as Pet).id}/cancel`);
  };
  const stream = async (): Promise<void> => {
    const over = new AbortController();
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${origin}/v1/events/stream`, { headers, signal: over.signal });
    counts.requests += 1;
    await answer.body?.getReader().read();
    over.abort();
  };
  const THINGS: readonly (() => Promise<unknown>)[] = [
    () => ask('GET', `/v1/pets/${some()}`),
    () => ask('GET', `/v1/pets/${some()}`),
    () => ask('GET', '/v1/pets?limit=20&status=available'),
    () => ask('GET', `/v1/pets?ids=${some()},${some()}`),
    () => ask('GET', '/v1/store/inventory'),
    () => ask('GET', '/v1/events?limit=10'),
    () => ask('GET', '/v1/usage'),
    () => ask('GET', '/openapi.json'),
    () => ask('GET', `/${crypto.randomUUID()}`),
    () => ask('GET', '/v1/pets', undefined, { Authorization: `Bearer ${crypto.randomUUID()}` }),
    () => ask('POST', '/v1/pets', { name: '', categoryId: crypto.randomUUID() }),
    () => ask('PATCH', `/v1/pets/${some()}`, { name: crypto.randomUUID() }),
    () => create(),
    () => create({ 'Idempotency-Key': crypto.randomUUID() }),
    order,
    stream,
    async () => {
      while (pets.length > KEPT) await ask('DELETE', `/v1/pets/${pets.shift()}`);
    },
  ];

  let isOver = false;
  const call = async (_: unknown, caller: number): Promise<void> => {
    for (let turn = caller; !isOver; turn += 1) {
      await THINGS[turn % THINGS.length]?.().catch(() => {
        counts.failed += 1;
      });
      await Bun.sleep(PAUSE_MS);
    }
  };
  const calling = Array.from({ length: CALLERS }, call);
  return {
    counts,
    statuses,
    async stop() {
      isOver = true;
      await Promise.all(calling);
    },
  };
};
