import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { elapsed, nextTurn, processorMs } from '../src/kernel/runtime.ts';
import { median } from './compare.ts';
import type { Kind } from './load.ts';
import { ADMIN_KEY, sqlite } from './servers.ts';

export type PairedKind = Extract<Kind, 'get' | 'hot' | 'cold' | 'create' | 'once'>;

/** Processor time per request of the first version in µs, and how much more each other version takes. */
export type Paired = { micros: number; more: number[] };

type Handler = (incoming: {
  request: Request;
  params: Record<string, string>;
  socket: string;
}) => Response | Promise<Response>;

const BATCH = 64;
const REQUESTS: Record<PairedKind, number> = { get: 100_000, hot: 100_000, cold: 50_000, create: 40_000, once: 40_000 };
const WRITES: readonly PairedKind[] = ['create', 'once'];

const PETS = '/v1/pets';
const LIST = `${PETS}?limit=20&status=available`;

const BODY = '{"name":"Rex","categoryId":1,"status":"available"}';
const HEADERS = { Host: '127.0.0.1', Authorization: `Bearer ${ADMIN_KEY}` };
const POST = { ...HEADERS, 'Content-Type': 'application/json', 'Content-Length': String(BODY.length) };

const open = async (root: string, database: string) => {
  const load = (file: string) => import(join(root, 'src', file));
  const { compose }: typeof import('../src/compose/compose.ts') = await load('compose/compose.ts');
  const { readConfig }: typeof import('../src/config.ts') = await load('config.ts');
  const { createLog }: typeof import('../src/ops/log.ts') = await load('ops/log.ts');
  const config = readConfig({ DATABASE_URL: sqlite(database), PETSTORE_ADMIN_KEY: ADMIN_KEY });
  const log = createLog('info', async () => undefined, Date.now);
  return compose(config, { clock: Date.now, stopwatch: elapsed, randomBytes, log });
};

/**
 * Measures versions of the service in one process, without a network. The versions take turns, 64 requests at a time,
 * so other work on the machine slows all of them down equally. The result is the median of the differences between two
 * versions that took turns. Requests of the first half are not counted, because the runtime is still compiling.
 */
const measure = async (
  kind: PairedKind,
  sides: { root: string; database: string }[],
  pets: number,
  cursors: string[],
) => {
  let sent = 0;
  const any = (below: number): number => Math.floor(Math.random() * below);
  const create = (headers: Record<string, string>) =>
    [PETS, '', new Request(`http://127.0.0.1${PETS}`, { method: 'POST', headers, body: BODY })] as const;
  const requests: Record<PairedKind, () => readonly [route: string, petId: string, request: Request]> = {
    get: () => {
      const id = String(1 + any(pets));
      return [`${PETS}/:petId`, id, new Request(`http://127.0.0.1${PETS}/${id}`, { headers: HEADERS })];
    },
    hot: () => [PETS, '', new Request(`http://127.0.0.1${LIST}`, { headers: HEADERS })],
    cold: () => {
      // The links in a list contain the host, so a different host for each request prevents cached responses.
      const host = `h${++sent}`;
      const url = `http://${host}${LIST}&cursor=${cursors[any(cursors.length)]}`;
      return [PETS, '', new Request(url, { headers: { ...HEADERS, Host: host } })];
    },
    create: () => create(POST),
    once: () => create({ ...POST, 'Idempotency-Key': `${any(1e9)}-${any(1e9)}` }),
  };
  const services = await Promise.all(sides.map(({ root, database }) => open(root, database)));
  const send = async (routes: ReadonlyMap<string, Handler>): Promise<void> => {
    const [route, petId, request] = requests[kind]();
    const { status } = await (routes.get(route) as Handler)({ request, params: { petId }, socket: '127.0.0.1' });
    if (status >= 300) throw new Error(`${kind}: status ${status}`);
  };
  const taken = services.map((): number[] => []);
  for (let turn = 0; turn < REQUESTS[kind] / BATCH; turn += 1) {
    for (let offset = 0; offset < services.length; offset += 1) {
      const side = (turn + offset) % services.length;
      const { routes } = (services[side] as (typeof services)[number]).app;
      const before = processorMs();
      if (WRITES.includes(kind)) await Promise.all(Array.from({ length: BATCH }, () => send(routes)));
      else for (let count = 0; count < BATCH; count += 1) await send(routes);
      taken[side]?.push(((processorMs() - before) / BATCH) * 1000);
      await nextTurn();
    }
  }
  const [first = [], ...others] = taken.map((micros) => micros.slice(micros.length / 2));
  const more = others.map((micros) => median(micros.map((value, turn) => value - (first[turn] as number))));
  return { micros: median(first), more } satisfies Paired;
};

const [kind = '', pets = '', cursorFile = '', ...rest] = process.argv.slice(2);
const sides = Array.from({ length: rest.length / 2 }, (_, side) => ({
  root: rest[2 * side] as string,
  database: rest[2 * side + 1] as string,
}));
const cursors = readFileSync(cursorFile, 'utf8').trim().split('\n');
console.log(JSON.stringify(await measure(kind as PairedKind, sides, Number(pets), cursors)));
process.exit(0);
