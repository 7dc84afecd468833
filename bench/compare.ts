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

const middle = (readings: readonly Reading[]): Reading => ({
  perSecond: median(readings.map(({ perSecond }) => perSecond)),
  p50Ms: median(readings.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(readings.map(({ p99Ms }) => p99Ms)),
  cpuMicros: median(readings.map(({ cpuMicros }) => cpuMicros)),
  residentMb: median(readings.map(({ residentMb }) => residentMb)),
});

/**
 * Measures the servers in turn, so that other work on the machine affects all of them equally. The ratios divide the first
 * server's figures by those of the second server in the same round.
 */
export const compare = async (servers: readonly Server[], load: Omit<Load, 'origin'>, rounds: number) => {
  for (const { origin } of servers) await runLoad({ ...load, origin, seconds: 1 });
  const taken: Readings[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const readings: Readings = {};
    for (const server of servers) readings[server.name] = await read(server, load);
    taken.push(readings);
  }
  const [ours = '', bare = ''] = servers.map(({ name }) => name);
  const of = (name: string) => taken.map((readings) => readings[name] as Reading);
  return {
    readings: Object.fromEntries(servers.map(({ name }) => [name, middle(of(name))])),
    ratio: median(taken.map((readings) => (readings[ours]?.perSecond ?? 0) / (readings[bare]?.perSecond ?? 1))),
    p99Ratio: median(taken.map((readings) => (readings[ours]?.p99Ms ?? 0) / (readings[bare]?.p99Ms ?? 1))),
  };
};
