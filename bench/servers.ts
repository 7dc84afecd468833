import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/servers/server-process.ts';
import type { Contender } from './compare.ts';
import { answers, pinned } from './processes.ts';

export const ROOT = join(import.meta.dir, '..');

export const ADMIN_KEY = 'an-admin-key-for-the-benchmark';

export type Server = { name: string; pid: number; origin: string; stop(): Promise<void> };

type Wanted = {
  name: string;
  /**
   * The benchmark replaces `$PORT` in the command with the port, because some programs do not read the port from the
   * environment.
   */
  command: string[];
  environment: Record<string, string>;
  probe: string;
  log: string;
  root?: string;
};

export const start = async ({ name, command, environment, probe, log, root = ROOT }: Wanted): Promise<Server> => {
  const port = await freePort();
  const output = openSync(log, 'a');
  const words = command.map((word) => word.replace('$PORT', String(port)));
  const child = Bun.spawn(pinned(words, 'server'), {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: String(port), ...environment },
    stdin: 'ignore',
    stdout: output,
    stderr: 'inherit',
  });
  closeSync(output);
  const origin = `http://127.0.0.1:${port}`;
  await answers(`${origin}${probe}`).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    name,
    pid: child.pid,
    origin,
    async stop() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
};

export const sqlite = (path: string): string => `sqlite:${path}`;

const FROM_SOURCE = [process.execPath, '--no-env-file', 'src/main.ts'];

export const startService = (
  database: string,
  log: string,
  more: Record<string, string> = {},
  { command = FROM_SOURCE, root = ROOT } = {},
): Promise<Server> =>
  start({
    name: 'ours',
    command,
    root,
    environment: { DATABASE_URL: database, PETSTORE_ADMIN_KEY: ADMIN_KEY, ...more },
    probe: '/healthz',
    log,
  });

const LIMITS = { perMinute: 1_000_000_000, perDay: 100_000_000_000 };

export const issueKey = async ({ origin }: Server, storeId = 1): Promise<string> => {
  const answer = await fetch(`${origin}/v1/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'bench', plan: 'enterprise', limits: LIMITS, storeId }),
  });
  if (answer.status !== 201) throw new Error(`no key: ${await answer.text()}`);
  return ((await answer.json()) as { key: string }).key;
};

export const startFloor = (database: string, key: string, log: string, keyId = 'key_floor'): Promise<Server> =>
  start({
    name: 'floor',
    command: [process.execPath, '--no-env-file', 'bench/floor.ts'],
    environment: {
      FLOOR_DATABASE: database,
      FLOOR_KEY: key,
      FLOOR_KEY_ID: keyId,
      FLOOR_PER_MINUTE: String(LIMITS.perMinute),
      FLOOR_PER_DAY: String(LIMITS.perDay),
    },
    probe: '/',
    log,
  });

/** Every server sets these headers itself. The bare servers copy all other headers from the service's responses. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive'];

const record = async (origin: string, key: string, read: string) => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = '{"name":"Rex","categoryId":1,"status":"available"}';
  const take = async (answer: Response) => ({
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.includes(name))),
    body: await answer.text(),
  });
  return {
    GET: await take(await fetch(`${origin}${read}`, { headers })),
    POST: await take(await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })),
  };
};

export const startBareBun = (log: string, environment: Record<string, string> = {}): Promise<Server> =>
  start({ name: 'bun', command: [process.execPath, 'bench/bare-bun.ts'], environment, probe: '/', log });

/** Returns the bare servers. They send responses recorded from the service and do no other work. */
export const bareServers = async (service: Server, key: string, read: string, log: string): Promise<Contender[]> => {
  const environment = { BENCH_ANSWERS: JSON.stringify(await record(service.origin, key, read)) };
  const node = { name: 'node', command: ['node', 'bench/bare-node.mjs'], environment, probe: '/', log };
  return [
    { name: 'node', launch: () => start(node) },
    { name: 'bun', launch: () => startBareBun(log, environment) },
  ];
};

export const startBareShared = async (
  service: Server,
  key: string,
  log: string,
  environment: Record<string, string>,
): Promise<Server> => {
  const BENCH_ANSWERS = JSON.stringify(await record(service.origin, key, '/v1/pets/7'));
  const command = [process.execPath, 'bench/bare-shared.ts'];
  return start({ name: 'bare', command, environment: { ...environment, BENCH_ANSWERS }, probe: '/1', log });
};
