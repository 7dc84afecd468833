import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * If other processes use more than this share of the processors, exceeding a time limit does not count against the
 * service.
 */
export const BUSY_SHARE = 0.1;

type Process = { pid: number; parent: number; ticks: number };

/** Parses only the text after the last `)`, because the process name before it may contain spaces and parentheses. */
const readProcess = (pid: number): Process | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, some) => sum + some, 0);
    return { pid, parent: fields[1] as number, ticks };
  } catch {
    return undefined;
  }
};

const ownTicks = (): number => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const processes = pids.map((pid) => readProcess(Number(pid))).filter((one) => one !== undefined);
  const byParent = Map.groupBy(processes, ({ parent }) => parent);
  const sumBelow = (pid: number): number =>
    (byParent.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + sumBelow(child.pid), 0);
  return (readProcess(process.pid)?.ticks ?? 0) + sumBelow(process.pid);
};

const machineTicks = () => {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string;
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, interrupts = 0, soft = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system + stolen;
  return { busy, all: busy + idle + wait + interrupts + soft };
};

export const watchOthers = (): (() => number | undefined) => {
  if (!existsSync('/proc/stat')) return () => undefined;
  const before = { own: ownTicks(), ...machineTicks() };
  return () => {
    const after = { own: ownTicks(), ...machineTicks() };
    const others = after.busy - before.busy - (after.own - before.own);
    return Math.min(1, Math.max(0, others / Math.max(1, after.all - before.all)));
  };
};
