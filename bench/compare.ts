import { type Load, type Loaded, runLoad } from './load.ts';
import { usageOf } from './processes.ts';
import type { Server } from './servers.ts';

export type Reading = { perSecond: number; p50Ms: number; p99Ms: number; cpuMicros: number; residentMb: number };

export type Readings = Record<string, Reading>;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

export const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;

const read = async (server: Server, load: Omit<Load, 'origin'>): Promise<Reading> => {
  const before = usageOf(server.pid);
  const { requests, seconds, p50Ms, p99Ms, failed }: Loaded = await runLoad({ ...load, origin: server.origin });
  if (failed > requests / 1000) throw new Error(`${failed} of ${requests} requests to ${server.name} failed`);
  const after = usageOf(server.pid);
  const cpuMicros = ((after.cpuSeconds - before.cpuSeconds) / requests) * 1e6;
  return { perSecond: requests / seconds, p50Ms, p99Ms, cpuMicros, residentMb: after.residentMb };
};

/**
 * Until the runtime has compiled the functions that run often, a request to a new process takes about twice as long.
 * The service has more of these functions than a small server. With a short warm-up, the comparison would therefore
 * mostly show which program is smaller.
 */
const WARM_UP = { requests: 60_000, seconds: 5 };

const warmUp = async ({ rate, ...load }: Load): Promise<void> => {
  let sent = 0;
  for (let second = 0; second < WARM_UP.seconds && sent < WARM_UP.requests; second += 1) {
    sent += (await runLoad({ ...load, seconds: 1 })).requests;
  }
};

const middle = (readings: readonly Reading[]): Reading => ({
  perSecond: median(readings.map(({ perSecond }) => perSecond)),
  p50Ms: median(readings.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(readings.map(({ p99Ms }) => p99Ms)),
  cpuMicros: median(readings.map(({ cpuMicros }) => cpuMicros)),
  residentMb: median(readings.map(({ residentMb }) => residentMb)),
});

const valuesOf = (taken: readonly Readings[], name: string, figure: keyof Reading): number[] =>
  taken.map((readings) => readings[name]?.[figure] ?? Number.NaN);

export type Ratio = { median: number; least: number; most: number };

const times = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

export const showRatio = ({ median, least, most }: Ratio): string =>
  `${times(median)} × (${times(least)} to ${times(most)})`;

export const spread = (values: readonly number[]): Ratio => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
});

export const spreadOf = (taken: readonly Readings[], figure: keyof Reading, name: string): Ratio =>
  spread(valuesOf(taken, name, figure));

export const ratioOf = (taken: readonly Readings[], figure: keyof Reading, [one, other]: [string, string]): Ratio => {
  const below = valuesOf(taken, other, figure);
  return spread(valuesOf(taken, one, figure).map((value, round) => value / (below[round] as number)));
};

export const medians = (taken: readonly Readings[]): Readings =>
  Object.fromEntries(
    Object.keys(taken[0] ?? {}).map((name) => [name, middle(taken.map((readings) => readings[name] as Reading))]),
  );

/**
 * Measures the servers one after the other in each round, so that other work on the machine affects all of them
 * equally.
 */
export const compare = async (servers: readonly Server[], load: Omit<Load, 'origin'>, rounds: number) => {
  for (const { origin } of servers) await warmUp({ ...load, origin });
  const taken: Readings[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const readings: Readings = {};
    for (const server of servers) readings[server.name] = await read(server, load);
    taken.push(readings);
  }
  return medians(taken);
};

/** `load` overrides some of the shared load settings for a server that has different paths or a different key. */
export type Contender = { name: string; launch(): Promise<Server>; load?: Partial<Load> };

type Comparison = {
  rounds: number;
  sideLoad(server: Server): () => void | Promise<void>;
  leaveOut?: (name: string, error: unknown) => void;
};

const measure = async (
  { launch, load: own }: Contender,
  load: Omit<Load, 'origin'>,
  sideLoad: Comparison['sideLoad'],
) => {
  const server = await launch();
  const end = sideLoad(server);
  try {
    const sent = { ...load, ...own };
    await warmUp({ ...sent, origin: server.origin });
    return await read(server, sent);
  } finally {
    await end();
    await server.stop();
  }
};

/**
 * Launches every server again in each round. The results of the same program differ by up to 15 % between launches, so
 * a single launch would be misleading. `sideLoad` starts additional work on a server and returns a function that stops
 * this work. If a server fails and `leaveOut` is given, the comparison continues without that server.
 */
export const compareLaunches = async (
  contenders: readonly Contender[],
  load: Omit<Load, 'origin'>,
  { rounds, sideLoad, leaveOut }: Comparison,
): Promise<Readings[]> => {
  const taken: Readings[] = [];
  const failed = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const readings: Readings = {};
    for (const contender of contenders.filter(({ name }) => !failed.has(name))) {
      try {
        readings[contender.name] = await measure(contender, load, sideLoad);
      } catch (error) {
        if (!leaveOut) throw error;
        leaveOut(contender.name, error);
        failed.add(contender.name);
      }
    }
    taken.push(readings);
  }
  for (const name of failed) for (const readings of taken) delete readings[name];
  return taken;
};
