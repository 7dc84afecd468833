import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { portOf, requestText, startLoad } from '../prove/fleet-load.ts';
import { allLogged } from '../prove/logged.ts';
import type { Instance } from '../test/instances.ts';
import { query } from '../test/servers/databases.ts';
import { findPgbouncer, startPgbouncer } from '../test/servers/pgbouncer.ts';
import type { Postgres } from '../test/servers/postgres.ts';
import { findRedis, startRedis } from '../test/servers/redis.ts';
import { median } from './compare.ts';
import { answerAtMost, createPet, type Fleet, PET, type ScaleSize, withFleet } from './fleet.ts';
import { type Kind, runLoad } from './load.ts';
import { usageOf } from './processes.ts';
import type { Answer } from './questions.ts';

const [FEW, MANY] = [8, 22];
const CONNECTIONS = 32;
const LOAD_SECONDS = 3;
const PETS = 200;
const MIN_CALLERS = 20;
const POOLED_MS = 20_000;
const PAUSE_MS = 50;

type Costs = {
  perSecond: number;
  instanceMicros: number;
  primaryMicros: number;
  redisMicros: number;
  walBytes: number;
};

/**
 * Positions of fields in `/proc/<pid>/stat`, counted from the end of the process name: the parent, the process's own
 * processor times, and the processor times of its children that have exited.
 */
const [PARENT, OWN, ENDED] = [1, [11, 12], [13, 14]];
const TICKS_PER_SECOND = 100;

const statOf = (pid: string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
};

/**
 * Processor time of all PostgreSQL processes, including those that served connections that are now closed. NaN on
 * systems without `/proc`.
 */
const primaryCpuSeconds = ({ directory }: Postgres): number => {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  const [pid = ''] = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n', 1);
  const children = readdirSync('/proc').filter((id) => statOf(id)[PARENT] === pid);
  const sum = (id: string, fields: readonly number[]) =>
    fields.reduce((all, at) => all + Number(statOf(id)[at] ?? 0), 0);
  return children.reduce((all, id) => all + sum(id, OWN), sum(pid, [...OWN, ...ENDED])) / TICKS_PER_SECOND;
};

type Redis = Awaited<ReturnType<typeof startRedis>>;

const redisCpuSeconds = async (redis: Redis | undefined): Promise<number> => {
  const info = (await redis?.command('INFO', 'cpu')) ?? '';
  return [...info.matchAll(/used_cpu_(?:sys|user):([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
};

type Servers = { postgres: Postgres; redis: Redis | undefined };

const measure = async (
  { postgres, redis }: Servers,
  instance: Instance,
  load: Omit<Parameters<typeof runLoad>[0], 'origin'>,
) => {
  const read = async () => ({
    instance: usageOf(instance.program.child.pid).cpuSeconds,
    primary: primaryCpuSeconds(postgres),
    redis: await redisCpuSeconds(redis),
    wal: Number((await postgres.query("SELECT pg_current_wal_lsn() - '0/0' AS bytes"))[0].bytes),
  });
  const before = await read();
  const { requests, failed, seconds } = await runLoad({ ...load, origin: instance.origin });
  const after = await read();
  const micros = (what: 'instance' | 'primary' | 'redis') => ((after[what] - before[what]) / requests) * 1e6;
  return {
    perSecond: (requests - failed) / seconds,
    instanceMicros: micros('instance'),
    primaryMicros: micros('primary'),
    redisMicros: micros('redis'),
    walBytes: (after.wal - before.wal) / requests,
  };
};

const medians = (costs: readonly Costs[]): Costs => {
  const of = (what: keyof Costs) => median(costs.map((cost) => cost[what]));
  return {
    perSecond: of('perSecond'),
    instanceMicros: of('instanceMicros'),
    primaryMicros: of('primaryMicros'),
    redisMicros: of('redisMicros'),
    walBytes: of('walBytes'),
  };
};

const showCosts = (kind: string, costs: Costs): Answer => {
  const micros = [costs.instanceMicros, costs.primaryMicros, costs.redisMicros].map((time) => `${time.toFixed(0)} µs`);
  const rate = `${Math.round(costs.perSecond).toLocaleString('en')} a second`;
  return {
    question: `processor time of a ${kind}: instance / primary / Redis`,
    promise: '',
    answer: `${micros.join(' / ')}; ${costs.walBytes.toFixed(0)} bytes of WAL; ${rate} with ${CONNECTIONS} callers`,
    isMet: true,
  };
};

/**
 * Polls the number of open connections. The returned function stops polling and returns the highest number that was
 * seen.
 */
const watchConnections = ({ url }: Fleet) => {
  let most = 0;
  let isOver = false;
  const name = new URL(url).pathname.slice(1);
  const watching = (async () => {
    while (!isOver) {
      const text =
        "SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = $1 AND application_name = 'petstore'";
      most = Math.max(most, (await query(url, text, [name]))[0].open);
      await Bun.sleep(100);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return most;
  };
};

const runRounds = async (servers: Servers, fleet: Fleet, { rounds }: ScaleSize, cursorFile: string) => {
  const [few] = fleet.instances as [Instance];
  const load = (kind: Kind) => ({
    kind,
    key: fleet.key,
    pets: PETS,
    cursorFile,
    seconds: LOAD_SECONDS,
    connections: CONNECTIONS,
  });
  const stopWatching = watchConnections(fleet);
  await runLoad({ ...load('create'), origin: few.origin });
  await runLoad({ ...load('known'), origin: few.origin });
  const open = await stopWatching();
  const many = await fleet.start({ PETSTORE_DATABASE_CONNECTIONS: String(MANY) });
  const costs: Record<string, { few: Costs[]; many: Costs[] }> = {};
  // Alternates between the instance with few connections and the instance with many connections, so that other work on
  // the machine affects both equally.
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of ['create', 'known'] as const) {
      const measured = { few: await measure(servers, few, load(kind)), many: await measure(servers, many, load(kind)) };
      costs[kind] ??= { few: [], many: [] };
      // The first round is not counted. It only warms up `many`, which has just started.
      if (round > 0) for (const size of ['few', 'many'] as const) costs[kind]?.[size].push(measured[size]);
    }
  }
  return { open, costs };
};

export const askLoad = async (postgres: Postgres, size: ScaleSize, directory: string): Promise<Answer[]> => {
  const redis = findRedis() ? await startRedis() : undefined;
  const environment: Record<string, string> = redis ? { REDIS_URL: redis.url } : {};
  try {
    return await withFleet(
      postgres,
      1,
      async (fleet) => {
        const ids: number[] = [];
        for (let count = 0; count < PETS; count += 1) ids.push((await createPet(fleet)).id);
        const cursorFile = join(directory, 'ids');
        writeFileSync(cursorFile, `${ids.join('\n')}\n`);
        const { open, costs } = await runRounds({ postgres, redis }, fleet, size, cursorFile);
        const ratios = Object.values(costs).map(({ few, many }) =>
          median(few.map(({ perSecond }, round) => perSecond / (many[round]?.perSecond ?? 1))),
        );
        return [
          answerAtMost('connections of an instance under load', [FEW], [open]),
          {
            question: `creates / gets a second, ${FEW} connections relative to ${MANY}`,
            promise: '',
            answer: ratios.map((ratio) => `${ratio.toFixed(2)} ×`).join(' / '),
            isMet: true,
          },
          showCosts('create', medians(costs.create?.few ?? [])),
          showCosts('get', medians(costs.known?.few ?? [])),
        ];
      },
      { environment },
    );
  } finally {
    await redis?.remove();
  }
};

const findFailedJobs = (log: string): string[] =>
  log
    .split('\n')
    .filter((line) => line.includes('"event":"job_failed"'))
    .map((line) => {
      const { job, error } = JSON.parse(line);
      return `${job}: ${error}`;
    });

export const askPooler = async (postgres: Postgres, { instances }: ScaleSize): Promise<Answer[]> => {
  const pool = 2 * instances;
  const question = `${instances} instances with ${FEW} connections each, through PgBouncer in transaction mode with ${pool}: failed requests / job_failed`;
  if (!findPgbouncer())
    return [{ question, promise: '0 / 0', answer: 'not measured: PgBouncer is not installed', isMet: false }];
  const pooler = await startPgbouncer(postgres.url, { mode: 'transaction', size: pool });
  const redis = findRedis() ? await startRedis() : undefined;
  try {
    return await withFleet(
      postgres,
      instances,
      async (fleet) => {
        const { id } = await createPet(fleet);
        const next = (turn: number): string => {
          if (turn % 4 === 0) return requestText('POST', '/v1/pets', { key: fleet.key, body: PET });
          const path = turn % 4 === 1 ? '/v1/pets?limit=20&status=available' : `/v1/pets/${id}`;
          return requestText('GET', path, { key: fleet.key });
        };
        const load = startLoad({
          ports: fleet.instances.map(portOf),
          callers: Math.max(MIN_CALLERS, instances),
          pauseMs: PAUSE_MS,
          next,
        });
        await Bun.sleep(POOLED_MS);
        const answers = await load.stop();
        await allLogged(fleet.instances);
        const failed = answers.filter(({ status }) => status === 0 || status >= 400).length;
        const jobs = fleet.instances.flatMap(({ program }) => findFailedJobs(program.written.out));
        const answer = `${failed} of ${answers.length} / ${jobs.length}`;
        const isMet = failed + jobs.length === 0;
        return [{ question, promise: '0 / 0', answer: [answer, ...new Set(jobs)].join('; '), isMet }];
      },
      { databaseUrl: pooler.through, environment: redis ? { REDIS_URL: redis.url } : {} },
    );
  } finally {
    await redis?.remove();
    await pooler.remove();
  }
};
