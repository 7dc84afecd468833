import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const CORES = { server: 0, load: 1 };

export const IS_PINNED = Bun.which('taskset') !== null && cpus().length > 1;

/** The command, bound to the core of its role where the machine can do that. */
export const pinned = (command: readonly string[], role: keyof typeof CORES): string[] =>
  IS_PINNED ? ['taskset', '-c', String(CORES[role]), ...command] : [...command];

/** Linux counts processor time in hundredths of a second, whatever the machine. */
const TICKS_PER_SECOND = 100;

/** What a process has used so far, where the system tells: seconds of processor time, and megabytes in memory. */
export const usageOf = (pid: number): { cpuSeconds: number; residentMb: number } => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      residentMb: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024,
    };
  } catch {
    return { cpuSeconds: Number.NaN, residentMb: Number.NaN };
  }
};

/** A port that was free a moment ago. */
export const freePort = (): number => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port as number;
};

/** Waits until a server answers there at all; tells how long that took. */
export const answers = async (url: string, withinMs = 10_000): Promise<number> => {
  const startedAt = performance.now();
  while (performance.now() - startedAt < withinMs) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status > 0 && status < 500) return performance.now() - startedAt;
    await Bun.sleep(1);
  }
  throw new Error(`nothing answers at ${url}`);
};
