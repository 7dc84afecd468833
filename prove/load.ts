import type { Instance } from '../test/instances.ts';
import { waitFor } from '../test/wait-for.ts';

const KINDS = ['create', 'read', 'create once', 'order', 'order once'] as const;

type Kind = (typeof KINDS)[number];

export type Sent = {
  kind: Kind;
  instance: Instance;
  name: string;
  petId: number | undefined;
  sentAt: number;
  tookMs: number;
  status: number;
  code: string | undefined;
  /** True if the service refused the request because the machine was busy, and not because of the injected fault. */
  isShed: boolean;
  retryAfter: string | null;
  id: number | undefined;
};

type Options = { instances: readonly Instance[]; key: string; perSecond: number };

const requestOf = ({ kind, name, petId }: Sent): [method: string, path: string, body?: object] => {
  if (kind === 'read') return ['GET', `/v1/pets/${petId}`];
  if (kind.startsWith('order')) return ['POST', '/v1/store/orders', { petId }];
  return ['POST', '/v1/pets', { name, categoryId: 1 }];
};

const isRefused = ({ status, isShed }: Sent): boolean => status === 503 && !isShed;

const send = async (sent: Sent, key: string): Promise<void> => {
  const [method, path, body] = requestOf(sent);
  const headers: Record<string, string> = sent.kind.endsWith('once') ? { 'Idempotency-Key': sent.name } : {};
  const seen = await sent.instance.call(method, path, { key, body, headers }).catch(() => undefined);
  sent.tookMs = performance.now() - sent.sentAt;
  sent.status = seen?.status ?? 0;
  sent.code = seen?.body?.code;
  sent.isShed = sent.status === 503 && seen?.body.message.includes('overloaded');
  sent.retryAfter = seen?.headers.get('retry-after') ?? null;
  sent.id = seen?.body?.id;
};

type Animals = { created: number[]; free: number[] };

const nextOf = (index: number, run: string, instances: readonly Instance[], { created, free }: Animals): Sent => {
  let kind: Kind = KINDS[index % KINDS.length] as Kind;
  const needed = kind === 'read' ? created : free;
  if (!kind.startsWith('create') && needed.length === 0) kind = 'create';
  return {
    kind,
    instance: instances[Math.floor(index / KINDS.length) % instances.length] as Instance,
    name: `load-${run}-${index}`,
    petId: kind === 'read' ? created[index % created.length] : kind.startsWith('order') ? free.shift() : undefined,
    sentAt: performance.now(),
    tookMs: 0,
    status: 0,
    code: undefined,
    isShed: false,
    retryAfter: null,
    id: undefined,
  };
};

const sendAgain = (unsure: readonly Sent[], { instances, key }: Options): Promise<Sent[]> =>
  Promise.all(
    unsure.map((first, index) => {
      const instance = instances[index % instances.length] as Instance;
      const sent = { ...first, instance, sentAt: performance.now() };
      return waitFor('it is served', async () => {
        await send(sent, key);
        return sent.status !== 503 && sent.code !== 'idempotency_in_progress' && sent;
      }) as Promise<Sent>;
    }),
  );

export const startLoad = (options: Options) => {
  const { instances, key, perSecond } = options;
  const all: Sent[] = [];
  const open = new Set<Promise<void>>();
  const pets: Animals = { created: [], free: [] };
  const run = crypto.randomUUID().slice(0, 8);

  const timer = setInterval(() => {
    const sent = nextOf(all.length, run, instances, pets);
    all.push(sent);
    const ended = send(sent, key).then(() => {
      open.delete(ended);
      if (!sent.kind.startsWith('create') || sent.status !== 201) return;
      pets.created.push(sent.id as number);
      pets.free.push(sent.id as number);
    });
    open.add(ended);
  }, 1000 / perSecond);

  return {
    all,
    sent: (count: number) =>
      waitFor(
        `${count} requests are sent`,
        () => all.length,
        (length) => length >= count,
      ),
    refused: (count: number) =>
      waitFor(
        `${count} requests are refused`,
        () => all.filter(isRefused).length,
        (length) => length >= count,
      ),
    served: (since: number, count = 100) =>
      waitFor(
        `${count} requests in a row are not refused`,
        () => all.filter(({ sentAt, tookMs }) => sentAt >= since && tookMs > 0).slice(-count),
        (latest) => latest.length === count && !latest.some(isRefused),
      ),
    async stop(): Promise<readonly Sent[]> {
      clearInterval(timer);
      await Promise.all(open);
      return all;
    },
    insist: (): Promise<readonly Sent[]> =>
      sendAgain(
        all.filter(({ kind, status }) => kind.endsWith('once') && status !== 201),
        options,
      ),
  };
};
