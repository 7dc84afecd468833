import { join } from 'node:path';
import { pinned, usageOf } from '../bench/processes.ts';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench, PROGRAM } from '../test/program.ts';
import type { Callers, Crowd, Heard } from './callers.ts';
import { requestText } from './fleet-load.ts';
import { LONG } from './proof.ts';

const CALLERS = join(import.meta.dir, 'callers.ts');
const ROUNDS = LONG ? 9 : 3;
const MS = 3000;
/** Long enough that all have come, and those who are refused over and over were. */
const WARM_UP_MS = 2500;
const MANY = { perMinute: 1_000_000_000, perDay: 100_000_000_000 };

export const readPet = (key: string): string => requestText('GET', '/v1/pets/1', { key });
export const createPet = (key: string): string =>
  requestText('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 1 } });

/** What ordinary callers ask for: nine reads and a creation, in turn over their keys. */
export const mixed = (keys: readonly string[]): string[] =>
  keys.map((key, at) => (at % 10 === 9 ? createPet(key) : readPet(key)));

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] as number;

/** As many connections as the system lets it have: some shells allow fewer than these proofs need. */
const withConnections = (command: readonly string[]): string[] => [
  ...['sh', '-c', 'ulimit -n "$(ulimit -Hn)"; exec "$@"', 'sh'],
  ...command,
];

/** The service as a process of its own, with keys whose limits no crowd reaches. */
export const startCrowded = async () => {
  const bench = createWorkbench();
  const program = bench.start({
    directory: bench.directory(),
    command: pinned(withConnections(PROGRAM), 'server'),
    environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_LOG_LEVEL: 'info' },
  });
  const origin = await program.origin();
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${origin}/v1${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as { key: string; available: number };
  };
  const keys: string[] = [];
  for (let made = 0; made < 30; made += 1) {
    const { key } = await ask('POST', '/keys', { name: 'crowd', plan: 'enterprise', limits: MANY, storeId: 1 });
    keys.push(key);
  }
  await ask('POST', '/pets', { name: 'Rex', categoryId: 1 });
  let created = 1;

  /** Each kind of callers in a process of its own, so that none waits for another before it has sent anything. */
  const send = async (...kinds: readonly Callers[]): Promise<Record<string, Heard>> => {
    const heard = await Promise.all(
      kinds.map(async (callers) => {
        const crowd: Crowd = { port: Number(new URL(origin).port), warmUpMs: WARM_UP_MS, ms: MS, callers: [callers] };
        const command = withConnections([process.execPath, CALLERS, JSON.stringify(crowd)]);
        const child = Bun.spawn(pinned(command, 'load'), { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
        return JSON.parse(await new Response(child.stdout).text()) as Record<string, Heard>;
      }),
    );
    for (const { statuses } of heard.flatMap((one) => Object.values(one))) created += statuses['201'] ?? 0;
    return Object.assign({}, ...heard);
  };

  /** What became of one kind of callers, and how much was done for them with a second of the service's processor. */
  const hear = async (name: string, kinds: readonly Callers[]) => {
    const before = usageOf(program.child.pid).cpuSeconds;
    const heard = (await send(...kinds))[name] as Heard;
    const perProcessorSecond = heard.goodPerSecond / (usageOf(program.child.pid).cpuSeconds - before);
    return { ...heard, perProcessorSecond };
  };

  return {
    keys,
    origin,
    /** How the same callers fare alone and in company, in turn: medians of the rounds. */
    async compare(name: string, alone: readonly Callers[], together: readonly Callers[]) {
      const rounds: { alone: Awaited<ReturnType<typeof hear>>; together: Awaited<ReturnType<typeof hear>> }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push({ alone: await hear(name, alone), together: await hear(name, together) });
      }
      return {
        share: median(rounds.map((one) => one.together.goodPerSecond / Math.max(1, one.alone.goodPerSecond))),
        shareByProcessor: median(
          rounds.map((one) => one.together.perProcessorSecond / Math.max(1, one.alone.perProcessorSecond)),
        ),
        alone: median(rounds.map((one) => one.alone.goodPerSecond)),
        together: median(rounds.map((one) => one.together.goodPerSecond)),
        p99Alone: median(rounds.map((one) => one.alone.p99Ms)),
        p99: median(rounds.map((one) => one.together.p99Ms)),
        statuses: rounds.flatMap((one) => Object.keys(one.together.statuses)),
      };
    },
    /** How many creations were acknowledged at least, and how many animals there are. */
    async kept() {
      const { available } = await ask('GET', '/store/inventory');
      return { acknowledged: created, stored: available };
    },
    stop: bench.clear,
  };
};
