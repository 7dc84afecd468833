import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { cpus } from 'node:os';

const CORES = { server: 0, load: 1 };

export const IS_PINNED = Bun.which('taskset') !== null && cpus().length > 1;

/** Prefixes a command so that it runs on the processor core of its role, if this machine can pin processes. */
export const pinned = (command: readonly string[], role: keyof typeof CORES): string[] =>
  IS_PINNED ? ['taskset', '-c', String(CORES[role]), ...command] : [...command];

/** Moves the benchmark itself and its children to the core of the load, to keep the server's core free. */
export const pinSelf = (): void => {
  if (IS_PINNED) Bun.spawnSync(['taskset', '-acp', String(CORES.load), String(process.pid)]);
};

/** The unit of processor times in `/proc`: Linux counts in hundredths of a second on every machine. */
const TICKS_PER_SECOND = 100;

/** Returns the processor seconds and resident megabytes of a process so far. Both are NaN where `/proc` is missing. */
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

/** Returns the status of a GET on a new connection, or 0 if the connection fails. `fetch` would add its own cost. */
const statusOf = (url: URL): Promise<number> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
    });
    socket.on('error', () => resolve(0));
    socket.on('close', () => resolve(0));
    socket.once('data', (bytes) => {
      resolve(Number(bytes.toString('latin1', 9, 12)));
      socket.destroy();
    });
  });

/** Waits until a server responds. Polls every millisecond, because the start time is measured with this function. */
export const answers = async (address: string, withinMs = 120_000): Promise<void> => {
  const url = new URL(address);
  const startedAt = performance.now();
  while (performance.now() - startedAt < withinMs) {
    const status = await statusOf(url);
    if (status > 0 && status < 500) return;
    await Bun.sleep(1);
  }
  throw new Error(`no response from ${address}`);
};
