import { join } from 'node:path';
import { pinned, usageOf } from '../bench/processes.ts';
import { issueKey, sqlite, startService } from '../bench/servers.ts';
import { createWorkbench } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import type { Callers, Crowd, Heard } from './callers.ts';
import { requestText } from './fleet-load.ts';
import { LONG } from './proof.ts';

const CALLERS = join(import.meta.dir, 'callers.ts');
const ROUNDS = LONG ? 9 : 3;
const MS = LONG ? 2000 : 1200;
const warmUpMs = (kinds: readonly Callers[]): number =>
  500 + Math.max(...kinds.map(({ connections }) => connections)) / 4;
const KEYS = 30;

export const readPet = (key: string): string => requestText('GET', '/v1/pets/1', { key });
export const createPet = (key: string): string =>
  requestText('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 1 } });

export const mixed = (keys: readonly string[]): string[] =>
  keys.map((key, at) => (at % 10 === 9 ? createPet(key) : readPet(key)));

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] as number;

export const send = async (origin: string, warmUpMs: number, callers: Callers, ms = MS): Promise<Heard> => {
  const crowd: Crowd = { port: Number(new URL(origin).port), warmUpMs, ms, callers };
  const command = pinned([process.execPath, CALLERS, JSON.stringify(crowd)], 'load');
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  return JSON.parse(await new Response(child.stdout).text());
};

export const startCrowded = async () => {
  const bench = createWorkbench();
  const directory = bench.directory();
  const server = await startService(sqlite(join(directory, 'petstore.db')), join(directory, 'log'));
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push(await issueKey(server));
  const headers = { Authorization: `Bearer ${keys[0]}`, 'Content-Type': 'application/json' };
  await fetch(`${server.origin}/v1/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' });
  let acknowledged = 1;

  const hear = async (kinds: readonly Callers[]) => {
    const before = usageOf(server.pid).cpuSeconds;
    const [first, ...others] = await Promise.all(kinds.map((callers) => send(server.origin, warmUpMs(kinds), callers)));
    if (!first) throw new Error('no caller is left');
    for (const { statuses } of [first, ...others]) acknowledged += statuses['201'] ?? 0;
    return { ...first, perProcessorSecond: first.goodPerSecond / (usageOf(server.pid).cpuSeconds - before) };
  };

  return {
    keys,
    origin: server.origin,
    async compare(alone: Callers, together: readonly Callers[]) {
      const rounds: Record<'alone' | 'together', Awaited<ReturnType<typeof hear>>>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push({ alone: await hear([alone]), together: await hear(together) });
      }
      const share = (of: 'goodPerSecond' | 'perProcessorSecond') =>
        median(rounds.map((one) => one.together[of] / Math.max(1, one.alone[of])));
      return {
        share: share('goodPerSecond'),
        shareByProcessor: share('perProcessorSecond'),
        alone: median(rounds.map((one) => one.alone.goodPerSecond)),
        together: median(rounds.map((one) => one.together.goodPerSecond)),
        p99Alone: median(rounds.map((one) => one.alone.p99Ms)),
        p99: median(rounds.map((one) => one.together.p99Ms)),
        statuses: rounds.flatMap((one) => Object.keys(one.together.statuses)),
        refused: rounds.reduce((sum, one) => sum + (one.together.statuses['503'] ?? 0), 0),
      };
    },
    /** `acknowledged` may be slightly lower than `stored`, because callers miss their last responses when they stop. */
    async kept() {
      const count = async () => {
        const answer = await fetch(`${server.origin}/v1/store/inventory`, { headers });
        return answer.status === 200 ? ((await answer.json()) as { available: number }) : undefined;
      };
      const { available } = await waitFor('the pets are counted', count);
      return { acknowledged, stored: available };
    },
    async stop() {
      await server.stop();
      await bench.clear();
    },
  };
};
