import type { Seeded } from './seeded.ts';

const PATIENCE_MS = 6000;
const AGAIN_MS = 30;
const NEWEST = 40;

const AGAIN = new Set([0, 502, 503]);

type Asked = { method: string; path: string; body?: object; key?: string };
type Answer = { status: number; body: { id?: number; code?: string } | undefined };

type Options = {
  origin: string;
  key: string;
  random: Seeded;
  callers: number;
  pauseMs: number;
  continues(sent: number): boolean;
};

const createAsk = (origin: string, key: string) => {
  const seen = { sent: 0, again: 0, longestMs: 0, words: new Set<string>() };

  const askOnce = async ({ method, path, body, key: once }: Asked): Promise<Answer> => {
    seen.sent += 1;
    const sentAt = performance.now();
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(once ? { 'Idempotency-Key': once } : {}),
    };
    const asked = { method, headers, signal: AbortSignal.timeout(PATIENCE_MS) };
    try {
      const answer = await fetch(`${origin}/v1${path}`, body ? { ...asked, body: JSON.stringify(body) } : asked);
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch {
      return { status: 0, body: undefined };
    } finally {
      seen.longestMs = Math.max(seen.longestMs, performance.now() - sentAt);
    }
  };

  const ask = async (asked: Asked): Promise<Answer> => {
    for (;;) {
      const answer = await askOnce(asked);
      seen.words.add(answer.body?.code ?? String(answer.status));
      if (!AGAIN.has(answer.status) && answer.body?.code !== 'idempotency_in_progress') return answer;
      seen.again += 1;
      await Bun.sleep(AGAIN_MS);
    }
  };
  return { seen, ask };
};

export const startChaosCallers = ({ origin, key, random, callers, pauseMs, continues }: Options) => {
  const { seen, ask } = createAsk(origin, key);
  const created = new Map<string, number>();
  const ordered: number[] = [];
  const pets: number[] = [];
  let number = 0;

  const newest = (of: readonly number[]) => random.one(of.slice(-NEWEST));
  const create = async (name: string): Promise<void> => {
    const { body } = await ask({
      method: 'POST',
      path: '/pets',
      body: { name, categoryId: random.below(9) },
      key: name,
    });
    created.set(name, body?.id as number);
    pets.push(body?.id as number);
  };
  const order = async (name: string): Promise<void> => {
    const petId = newest(pets);
    const { status, body } = await ask({
      method: 'POST',
      path: '/store/orders',
      body: { petId: petId ?? 1 },
      key: name,
    });
    if (status === 201) ordered.push(body?.id as number);
  };
  const move = async (name: string): Promise<void> => {
    const to = random.one(['approve', 'deliver', 'cancel']);
    await ask({ method: 'POST', path: `/store/orders/${newest(ordered) ?? 1}/${to}`, key: name });
  };
  const rename = async (name: string): Promise<void> => {
    await ask({ method: 'PATCH', path: `/pets/${newest(pets) ?? 1}`, body: { name } });
  };
  const remove = async (): Promise<void> => {
    await ask({ method: 'DELETE', path: `/pets/${newest(pets) ?? 1}` });
  };
  const KINDS = [create, create, create, order, order, order, move, move, rename, remove];

  const call = async (): Promise<void> => {
    while (continues(seen.sent)) {
      number += 1;
      await random.one(KINDS)?.(`chaos-${number}`);
      await Bun.sleep(pauseMs);
    }
  };
  const calling = Array.from({ length: callers }, call);

  return {
    seen,
    created,
    ordered,
    ended: () => Promise.all(calling),
  };
};
