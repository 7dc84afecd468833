import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import type { Postgres } from '../test/servers/postgres.ts';
import type { Answer } from './questions.ts';

const KEY = {
  plan: 'enterprise',
  limits: { perMinute: 1_000_000_000, perDay: 100_000_000_000 },
  scopes: ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'webhooks:write'],
};
export const PET = { name: 'Rex', categoryId: 1 };

export type ScaleSize = { idleSeconds: number; requests: number; rounds: number; instances: number };
export type Fleet = Instances & { key: string };

/** Maximum number of instances that start at the same time. More would overload the machine. */
const STARTED_TOGETHER = 5;

const ENDS = ['SIGINT', 'SIGTERM'] as const;

export const withFleet = async <Result>(
  postgres: Postgres,
  count: number,
  act: (fleet: Fleet) => Promise<Result>,
  options: Partial<Parameters<typeof startInstances>[0]> = {},
): Promise<Result> => {
  const { environment, ...more } = options;
  const running = await startInstances({
    // The first instance starts alone, because it creates the tables.
    count: 1,
    server: postgres.url,
    environment: { PETSTORE_DATABASE_TIMEOUT_MS: '5000', PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true', ...environment },
    ...more,
  });
  const interrupt = () => void running.stop().finally(() => process.exit(1));
  for (const signal of ENDS) process.once(signal, interrupt);
  try {
    const { instances } = running;
    while (instances.length < count) {
      const together = Math.min(STARTED_TOGETHER, count - instances.length);
      instances.push(...(await Promise.all(Array.from({ length: together }, () => running.start()))));
    }
    const { key } = await running.issueKey(KEY);
    return await act({ ...running, key });
  } finally {
    for (const signal of ENDS) process.off(signal, interrupt);
    await running.stop();
  }
};

export const send = async ({ instances: [first], key }: Fleet, path: string, body: object, headers = {}) => {
  const answer = await (first as Instance).call('POST', path, { key, body, headers });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};

export const createPet = (fleet: Fleet, headers = {}) => send(fleet, '/v1/pets', PET, headers);

const asText = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

export const answerAtMost = (
  question: string,
  most: readonly number[],
  figures: readonly number[],
  note = '',
): Answer => ({
  question,
  promise: most.map((value) => `≤ ${value}`).join(' / '),
  answer: `${figures.map(asText).join(' / ')}${note}`,
  isMet: most.every((value, index) => (figures[index] as number) <= value),
});
