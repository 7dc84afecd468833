import { readFileSync, rmSync, statSync } from 'node:fs';
import { makeFile } from '../files.ts';
import { DamageFound } from './check.ts';
import type { CheckReply } from './check.worker.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = 300_000;
/** Pause after each slice, as a multiple of its duration. With 3, a scan uses at most a quarter of a core. */
const REST_SHARE = 3;

const markOf = (file: string): string => `${file}.damaged`;

export const readDamageMark = (file: string): { damage: string; foundAt: Date } | undefined => {
  const found = statSync(markOf(file), { throwIfNoEntry: false });
  if (!found) return undefined;
  try {
    return { damage: readFileSync(markOf(file), 'utf8').trim(), foundAt: found.mtime };
  } catch (error) {
    // Even if this user may not read the file, its existence means that the database is damaged.
    return { damage: (error as Error).message, foundAt: found.mtime };
  }
};

/**
 * Creates or removes the file that marks the database as damaged. A full disk prevents this, so errors are ignored: the
 * log and a metric also report the damage.
 */
export const markDamage = (file: string, damage?: string): void => {
  try {
    if (damage === undefined) rmSync(markOf(file), { force: true });
    else makeFile(markOf(file), `${damage}\n`);
  } catch {}
};

/** `end` does not stop the thread immediately: it may run until the process exits. */
export const checkInThread = (path: string, restShare: number) => {
  const { promise, resolve } = Promise.withResolvers<CheckReply>();
  const thread = new Worker(new URL('./check.worker.ts', import.meta.url).href);
  thread.onmessage = ({ data }: MessageEvent<CheckReply>) => resolve(data);
  thread.onerror = ({ message }) => resolve({ error: message });
  thread.addEventListener('close', () => resolve({ error: 'the file-checking thread stopped unexpectedly' }));
  thread.postMessage({ path, restShare });
  return { reply: promise.finally(() => thread.terminate()), end: () => thread.terminate() };
};

export type ScanOptions = {
  /** Milliseconds between scans. 0 disables scans. */
  everyMs?: number | undefined;
  scanned?: (outcome: { durationMs: number } | { error: string }) => void;
};

type Deps = ScanOptions & {
  path: string;
  stopwatch: (() => number) | undefined;
  damaged(cause: DamageFound): void;
};

export const createScan = ({
  path,
  everyMs = DAY_MS,
  stopwatch = () => performance.now(),
  damaged,
  scanned = () => undefined,
}: Deps) => {
  const isMarked = everyMs > 0 && readDamageMark(path) !== undefined;
  let dueAt = stopwatch() + (isMarked ? 0 : Math.min(FIRST_MS, everyMs));
  let end: (() => void) | undefined;

  const settle = (reply: CheckReply, startedAt: number): void => {
    end = undefined;
    if ('error' in reply) {
      dueAt = stopwatch() + Math.min(FIRST_MS, everyMs);
      scanned(reply);
      return;
    }
    if (reply.damage !== undefined) {
      dueAt = Number.POSITIVE_INFINITY;
      damaged(new DamageFound(`${path} is damaged: ${reply.damage}`));
      return;
    }
    markDamage(path);
    scan.isSuspect = false;
    scanned({ durationMs: Math.round(stopwatch() - startedAt) });
  };

  const scan = {
    isSuspect: isMarked,
    async begin(): Promise<void> {
      const now = stopwatch();
      if (end || now < dueAt) return;
      dueAt = now + everyMs;
      const check = checkInThread(path, REST_SHARE);
      let isOver = false;
      end = () => {
        isOver = true;
        check.end();
      };
      void check.reply.then((reply) => isOver || settle(reply, now));
    },
    close: (): void => end?.(),
  };
  return scan;
};
