import { afterAll, expect } from 'bun:test';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageOf } from '../bench/processes.ts';
import { issueKey, sqlite, startService } from '../bench/servers.ts';
import { createWorkbench } from '../test/program.ts';
import { plot, type Series } from './plot.ts';
import { LONG, proof } from './proof.ts';
import { startSoakLoad } from './soak-load.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const MINUTES = Number(process.env.PROVE_MINUTES ?? (LONG ? 60 : 0.1));
const SAMPLES = 400;
const MAX_MB = 400;
/**
 * From the second quarter of the run to the last, memory may grow by at most this factor. The first quarter does not
 * count, because the caches are still filling.
 */
const FLAT = 1.2;
const MORE_FILES = 10;
const MAX_LOG_MB = 64;
const MB = 1024 * 1024;

type Sample = Record<'memory' | 'descriptors' | 'requests' | 'log' | 'file' | 'wal', number>;

const UNITS: Record<keyof Sample, string> = {
  memory: 'MB',
  descriptors: 'open',
  requests: 'served',
  log: 'MB',
  file: 'MB',
  wal: 'MB',
};

const sizeMb = (path: string): number => (existsSync(path) ? statSync(path).size / MB : 0);

const quarter = (samples: readonly Sample[], which: number): readonly Sample[] =>
  samples.slice(Math.floor((samples.length * which) / 4), Math.floor((samples.length * (which + 1)) / 4));

const medianOf = (samples: readonly Sample[], of: keyof Sample): number =>
  samples.map((sample) => sample[of]).sort((one, other) => one - other)[samples.length >> 1] ?? 0;

const logBytes = (from: Sample, to: Sample): number =>
  (MB * (to.log - from.log)) / Math.max(1, to.requests - from.requests);

const draw = (samples: readonly Sample[], caption: string): void => {
  const names = Object.keys(UNITS) as (keyof Sample)[];
  const series = names.map(
    (name): Series => ({ name, unit: UNITS[name], values: samples.map((sample) => sample[name]) }),
  );
  const path = process.env.PROVE_PLOT ?? join(tmpdir(), 'petstore-soak.svg');
  writeFileSync(path, plot(series, caption));
  console.log(`plotted to ${path}`);
};

proof(
  `${MINUTES} minutes of mixed load: memory, descriptors and the database log stay constant`,
  async ({ figure }) => {
    const directory = bench.directory();
    const [database, log] = [join(directory, 'petstore.db'), join(directory, 'log')];
    const server = await startService(sqlite(database), log);
    try {
      const load = startSoakLoad({ origin: server.origin, key: await issueKey(server) });
      const samples: Sample[] = [];
      const pauseMs = (MINUTES * 60_000) / SAMPLES;
      while (samples.length < SAMPLES) {
        await Bun.sleep(pauseMs);
        samples.push({
          memory: usageOf(server.pid).residentMb,
          descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
          requests: load.counts.requests,
          log: sizeMb(log),
          file: sizeMb(database),
          wal: sizeMb(`${database}-wal`),
        });
      }
      await load.stop();
      if (LONG || process.env.PROVE_PLOT) draw(samples, `${MINUTES} minutes, ${load.counts.requests} requests`);

      const [before, after] = [quarter(samples, 1), quarter(samples, 3)];
      const most = (of: keyof Sample, among: readonly Sample[] = samples) =>
        Math.max(...among.map((sample) => sample[of]));
      const [first, middle, last] = [samples[0], samples[SAMPLES >> 1], samples.at(-1)] as [Sample, Sample, Sample];
      const times = medianOf(after, 'memory') / medianOf(before, 'memory');
      figure(`${load.counts.requests} requests`);
      figure(
        `memory at most ${most('memory').toFixed(0)} MB; the last quarter used ${times.toFixed(2)} × as much as the second`,
      );
      figure(`at most ${most('descriptors')} descriptors, ${most('descriptors', after)} in the last quarter`);
      figure(`database log at most ${most('wal').toFixed(1)} MB, file ${last.file.toFixed(1)} MB`);
      figure(
        `bytes of log per request: ${Math.round(logBytes(first, middle))} in the first half, ${Math.round(logBytes(middle, last))} in the second`,
      );
      expect(load.counts.failed).toBe(0);
      expect(Object.keys(load.statuses).filter((status) => status.startsWith('5') && status !== '503')).toEqual([]);
      expect(most('memory')).toBeLessThanOrEqual(MAX_MB);
      expect(most('wal')).toBeLessThanOrEqual(MAX_LOG_MB);
      expect(most('descriptors', after)).toBeLessThanOrEqual(most('descriptors', before) + MORE_FILES);
      if (MINUTES >= 5) expect(times).toBeLessThanOrEqual(FLAT);
    } finally {
      await server.stop();
    }
  },
);
