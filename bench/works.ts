import { type Contender, compareLaunches, medians, type Ratio, type Readings, ratioOf } from './compare.ts';
import { type Kind, type Load, runLoad } from './load.ts';
import { cache, copyOf } from './questions.ts';
import { bareServers, issueKey, type Server, sqlite, startFloor, startService } from './servers.ts';
import { slowSync } from './slow-sync.ts';

export type Work = {
  name: string;
  kind: Kind;
  /**
   * The benchmark records the service's response for this path. The bare servers answer every GET request with that
   * response.
   */
  read: string;
  /** Minimum number of requests per second, relative to a bare `node:http` server. */
  atLeast?: number;
  /** Maximum processor time per request, relative to the server in `floor.ts`. */
  floorAtMost?: number;
  /**
   * Maximum p99 latency, relative to the bare server. Both servers get a constant load of half the service's peak rate.
   */
  p99AtMost?: number;
  p99MsAtMost?: number;
  syncMicros?: number;
  writesPerSecond?: number;
  /**
   * Number of additional connections that create pets while the load test runs. The requests on these connections are not
   * measured.
   */
  creating?: number;
};

const GET = '/v1/pets/7';
const LIST = '/v1/pets?limit=20&status=available';

export const WORKS: readonly Work[] = [
  { name: '`GET /pets/{id}`, random', kind: 'get', read: GET, atLeast: 0.9, floorAtMost: 1.2 },
  { name: '`GET /pets?limit=20&status=…`, hot page', kind: 'hot', read: LIST, atLeast: 1 },
  { name: 'the same with 100 writes a second', kind: 'hot', read: LIST, atLeast: 0.4, writesPerSecond: 100 },
  { name: 'the same with random cursors', kind: 'cold', read: LIST, atLeast: 0.42, floorAtMost: 1.25 },
  { name: '`POST /pets`, durable', kind: 'create', read: GET, atLeast: 0.42, floorAtMost: 1.3 },
  { name: '`POST /pets` with `Idempotency-Key`', kind: 'once', read: GET, atLeast: 0.36, floorAtMost: 1.3 },
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
  /** The service's requests per second, relative to those of the bare `node:http` server, over all rounds. */
  spread?: Ratio;
  /** The service's processor time per request, relative to the server in `floor.ts`. */
  floor?: Ratio | undefined;
  /**
   * Processor time of one launch of the service, relative to another launch of the same code. This ratio shows how
   * noisy the measurement is.
   */
  noise?: Ratio;
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

const promiseOf = ({ atLeast, floorAtMost, p99AtMost, p99MsAtMost }: Work): string => {
  if (floorAtMost !== undefined) return `≥ ${atLeast} ×, ≤ ${floorAtMost} × floor`;
  if (atLeast !== undefined) return `≥ ${atLeast} ×`;
  return p99AtMost === undefined ? `p99 ≤ ${p99MsAtMost} ms` : `p99 ≤ ${p99AtMost} ×`;
};

const writeSteadily = ({ origin }: Server, key: string, perSecond: number) => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = '{"name":"Rex","categoryId":1}';
  const timer = setInterval(() => {
    // Ignores failures, because these writes are only background load and are not measured. The load generator counts
    // the failures of the measured requests.
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

const sideWork = (work: Work, key: string, load: Omit<Load, 'origin'>) => (server: Server) => {
  if (work.writesPerSecond !== undefined) return writeSteadily(server, key, work.writesPerSecond);
  if (work.creating !== undefined)
    return createSteadily({ ...load, origin: server.origin, connections: work.creating });
  return () => undefined;
};

const contendersOf = async (work: Work, { database, log }: Setting, slow: Record<string, string>) => {
  const service = await startService(sqlite(database), log, slow);
  try {
    const key = await issueKey(service);
    const bare = await bareServers(service, key, work.read, log);
    const launch = async () => {
      await cache(database);
      return startService(sqlite(database), log, slow);
    };
    const contenders: Contender[] = [{ name: 'ours', launch }, ...bare, { name: 'again', launch }];
    if (work.floorAtMost !== undefined) {
      const copy = copyOf(database, 'floor');
      const launchFloor = async () => {
        await cache(copy);
        return startFloor(copy, key, log);
      };
      contenders.push({ name: 'floor', launch: launchFloor });
    }
    return { key, contenders };
  } finally {
    await service.stop();
  }
};

const isWithin = (work: Work, { ratio, p99Ratio, floor, readings }: Omit<Row, 'isMet'>): boolean =>
  ratio >= (work.atLeast ?? 0) &&
  (floor?.median ?? 0) <= (work.floorAtMost ?? Infinity) &&
  p99Ratio <= (work.p99AtMost ?? Infinity) &&
  (readings.ours?.p99Ms ?? 0) <= (work.p99MsAtMost ?? Infinity);

export const runWork = async (work: Work, setting: Setting): Promise<Row | undefined> => {
  const { directory, cursorFile, pets, seconds, rounds } = setting;
  const slow = work.syncMicros === undefined ? {} : await slowSync(directory, work.syncMicros);
  if (!slow) return undefined;
  const { key, contenders } = await contendersOf(work, setting, slow);
  const connections = CONNECTIONS - (work.creating ?? 0);
  const load = { kind: work.kind, key, pets, cursorFile, seconds, connections };
  const sideLoad = sideWork(work, key, load);
  let rate: number | undefined;
  if (work.p99AtMost !== undefined) {
    const [top] = await compareLaunches(contenders.slice(0, 1), load, { rounds: 1, sideLoad });
    rate = Math.round((top?.ours?.perSecond ?? 0) / 2);
  }
  const taken = await compareLaunches(contenders, { ...load, ...(rate && { rate }) }, { rounds, sideLoad });
  const readings: Readings = medians(taken);
  const spread = ratioOf(taken, 'perSecond', ['ours', 'node']);
  const row = {
    ...{ work: work.name, promise: promiseOf(work), readings, spread, ratio: spread.median },
    p99Ratio: ratioOf(taken, 'p99Ms', ['ours', 'node']).median,
    noise: ratioOf(taken, 'cpuMicros', ['again', 'ours']),
    floor: readings.floor && ratioOf(taken, 'cpuMicros', ['ours', 'floor']),
  };
  return { ...row, isMet: isWithin(work, row) };
};
