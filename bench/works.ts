import { compare, type Readings } from './compare.ts';
import { type Kind, type Load, runLoad } from './load.ts';
import { issueKey, type Server, sqlite, startBare, startService } from './servers.ts';
import { slowSync } from './slow-sync.ts';

export type Work = {
  name: string;
  kind: Kind;
  /** Path of the recorded response. The bare servers answer every GET with it. */
  read: string;
  /** Minimum number of requests per second, relative to a bare `node:http` server. */
  atLeast?: number;
  /**
   * Maximum p99 latency, relative to the bare server. Both servers get a constant load of half the service's peak rate.
   */
  p99AtMost?: number;
  p99MsAtMost?: number;
  syncMicros?: number;
  writesPerSecond?: number;
  /** Number of connections that create pets during the load. Their requests are not measured. */
  creating?: number;
};

const GET = '/v1/pets/7';
const LIST = '/v1/pets?limit=20&status=available';

export const WORKS: readonly Work[] = [
  { name: '`GET /pets/{id}`, random', kind: 'get', read: GET, atLeast: 1 },
  { name: '`GET /pets?limit=20&status=…`, hot page', kind: 'hot', read: LIST, atLeast: 1 },
  { name: 'the same with 100 writes a second', kind: 'hot', read: LIST, atLeast: 0.4, writesPerSecond: 100 },
  { name: 'the same with random cursors', kind: 'cold', read: LIST, atLeast: 0.4 },
  { name: '`POST /pets`, durable', kind: 'create', read: GET, atLeast: 0.6 },
  { name: '`POST /pets` with `Idempotency-Key`', kind: 'once', read: GET, atLeast: 0.35 },
  { name: '`POST /pets`, each sync 1 ms slower', kind: 'create', read: GET, atLeast: 0.4, syncMicros: 1000 },
  { name: '`POST /pets`, each sync 5 ms slower', kind: 'create', read: GET, atLeast: 0.15, syncMicros: 5000 },
  {
    name: '`GET /pets/{id}` on 58 connections while 6 more create, each sync 5 ms slower',
    kind: 'get',
    read: GET,
    p99MsAtMost: 10,
    syncMicros: 5000,
    creating: 6,
  },
  { name: '`GET /pets/{id}` at half the peak rate', kind: 'get', read: GET, p99AtMost: 5 },
];

export type Row = {
  work: string;
  promise: string;
  readings: Readings;
  ratio: number;
  p99Ratio: number;
  isMet: boolean;
};

export type Setting = {
  directory: string;
  database: string;
  log: string;
  cursorFile: string;
  pets: number;
  seconds: number;
  rounds: number;
  starts: number;
};

const CONNECTIONS = 64;

const promiseOf = ({ atLeast, p99AtMost, p99MsAtMost }: Work): string => {
  if (atLeast !== undefined) return `≥ ${atLeast} ×`;
  return p99AtMost === undefined ? `p99 ≤ ${p99MsAtMost} ms` : `p99 ≤ ${p99AtMost} ×`;
};

const writeSteadily = ({ origin }: Server, key: string, perSecond: number) => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = '{"name":"Rex","categoryId":1}';
  const timer = setInterval(() => {
    // Ignores failures: the load generator counts them, and a lost write only makes the workload easier.
    fetch(`${origin}/v1/pets`, { method: 'POST', headers, body }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
  }, 1000 / perSecond);
  return () => clearInterval(timer);
};

const createSteadily = (load: Omit<Load, 'kind' | 'seconds'>) => {
  let isOver = false;
  const running = (async () => {
    while (!isOver) await runLoad({ ...load, kind: 'create', seconds: 1 });
  })();
  return async () => {
    isOver = true;
    await running;
  };
};

const measure = async (work: Work, servers: readonly Server[], load: Omit<Load, 'origin'>, rounds: number) => {
  if (work.p99AtMost === undefined) return compare(servers, load, rounds);
  const [service] = servers as [Server];
  const top = await compare([service], { ...load, seconds: 2 }, 1);
  return compare(servers, { ...load, rate: Math.round((top.readings.ours?.perSecond ?? 0) / 2) }, rounds);
};

export const runWork = async (work: Work, setting: Setting): Promise<Row | undefined> => {
  const { directory, database, log, cursorFile, pets, seconds, rounds } = setting;
  const slow = work.syncMicros === undefined ? {} : await slowSync(directory, work.syncMicros);
  if (!slow) return undefined;
  const servers = [await startService(sqlite(database), log, slow)];
  let stopWriting: (() => void | Promise<void>) | undefined;
  try {
    const [service] = servers as [Server];
    const key = await issueKey(service);
    servers.push(...(await startBare(service, key, work.read, log)));
    if (work.writesPerSecond !== undefined) stopWriting = writeSteadily(service, key, work.writesPerSecond);
    const creating = work.creating ?? 0;
    const load = { kind: work.kind, key, pets, cursorFile, seconds, connections: CONNECTIONS - creating };
    if (creating > 0) stopWriting = createSteadily({ ...load, origin: service.origin, connections: creating });
    const { readings, ratio, p99Ratio } = await measure(work, servers, load, rounds);
    const isMet =
      ratio >= (work.atLeast ?? 0) &&
      p99Ratio <= (work.p99AtMost ?? Number.POSITIVE_INFINITY) &&
      (readings.ours?.p99Ms ?? 0) <= (work.p99MsAtMost ?? Number.POSITIVE_INFINITY);
    return { work: work.name, promise: promiseOf(work), readings, ratio, p99Ratio, isMet };
  } finally {
    await stopWriting?.();
    for (const server of servers) await server.stop();
  }
};
