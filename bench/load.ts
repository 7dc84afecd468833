import { join } from 'node:path';
import { pinned } from './processes.ts';

/**
 * - `get`: reads pets by random ids
 * - `known`: reads pets whose ids are in the cursor file
 * - `hot`: always reads the same list
 * - `cold`: reads lists that are not cached
 * - `create`: creates pets
 * - `once`: creates pets, with an `Idempotency-Key`
 * - `mixed`: reads nine pets by id for every pet that it creates
 * - `path`: sends GET requests for the paths in the cursor file
 * - `post`: creates pets at the first path in the cursor file
 */
export type Kind = 'get' | 'known' | 'hot' | 'cold' | 'create' | 'once' | 'mixed' | 'path' | 'post';

export type Load = {
  origin: string;
  kind: Kind;
  key: string;
  pets: number;
  cursorFile: string;
  seconds: number;
  connections: number;
  rate?: number;
  /** A response that takes longer than this counts as failed. wrk's own default is 2 seconds. */
  timeoutSeconds?: number;
};

export type Loaded = { requests: number; seconds: number; p50Ms: number; p99Ms: number; failed: number };

export const GENERATOR = Bun.which('wrk') ? 'wrk' : 'autocannon';

const wrk = ({ origin, kind, key, pets, cursorFile, seconds, connections, rate, timeoutSeconds = 2 }: Load) => [
  ...[
    'wrk',
    '-t1',
    '--timeout',
    `${timeoutSeconds}s`,
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    join(import.meta.dir, 'requests.lua'),
    origin,
  ],
  ...['--', kind, key, String(pets), cursorFile],
  ...(rate ? [String((1000 * connections) / rate)] : []),
];

const autocannon = ({ origin, ...load }: Load): string[] => [
  ...['node', join(import.meta.dir, 'autocannon.mjs'), JSON.stringify({ ...load, url: origin })],
];

export const runLoad = async (load: Load): Promise<Loaded> => {
  const command = GENERATOR === 'wrk' ? wrk(load) : autocannon(load);
  const running = Bun.spawn(pinned(command, 'load'), { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const said = await new Response(running.stdout).text();
  if ((await running.exited) !== 0) throw new Error(`${command[0]} failed: ${said}`);
  return JSON.parse(said.slice(said.lastIndexOf('{')));
};
