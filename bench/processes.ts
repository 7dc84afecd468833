import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { cpus } from 'node:os';

const CORES = { server: 0, load: 1 };

export const IS_PINNED = Bun.which('taskset') !== null && cpus().length > 1;

export const pinned = (command: readonly string[], role: keyof typeof CORES): string[] =>
  IS_PINNED ? ['taskset', '-c', String(CORES[role]), ...command] : [...command];

/**
 * Moves this process to the load generator's core, so that only the server uses the server's core. Child processes
 * inherit the assigned core.
 */
export const pinSelf = (): void => {
  if (IS_PINNED) Bun.spawnSync(['taskset', '-acp', String(CORES.load), String(process.pid)]);
};

/** On every machine, Linux reports the processor times in `/proc` in units of 10 ms. */
const TICKS_PER_SECOND = 100;

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

/**
 * Returns the status of the response, or 0 if the connection fails. Uses a raw socket, because `fetch` would add its
 * own cost to the measured startup time.
 */
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

/**
 * Waits for the first response whose status is below 500. Polls every millisecond, because callers report the duration
 * of this call as the startup time.
 */
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
