import { readFileSync, rmSync, statSync } from 'node:fs';
import { makeFile } from '../files.ts';
import { DamageFound } from './check.ts';
import type { CheckReply } from './check.worker.ts';

const DAY_MS = 86_400_000;
/** Delay of the first scan after a start. */
const FIRST_MS = 300_000;
/** The scan rests three times as long as it works: at most a quarter of one core and of the disk. */
const REST_SHARE = 3;

/** Marks a damaged file for `doctor` and the next start. */
const markOf = (file: string): string => `${file}.damaged`;

/** Returns the last damage found and when; undefined once a scan has passed. */
export const readDamageMark = (file: string): { damage: string; foundAt: Date } | undefined => {
  const found = statSync(markOf(file), { throwIfNoEntry: false });
  if (!found) return undefined;
  try {
    return { damage: readFileSync(markOf(file), 'utf8').trim(), foundAt: found.mtime };
  } catch (error) {
    // A mark owned by another user still counts.
    return { damage: (error as Error).message, foundAt: found.mtime };
  }
};

/** Marks a file as damaged, or as intact. On a full or read-only disk, only the log and the metric show damage. */
export const markDamage = (file: string, damage?: string): void => {
  try {
    if (damage === undefined) rmSync(markOf(file), { force: true });
    else makeFile(markOf(file), `${damage}\n`);
  } catch {}
};

/** Checks a file in a thread. `end` abandons the thread; its current statement ends later, or with the process. */
export const checkInThread = (path: string, restShare: number) => {
  const { promise, resolve } = Promise.withResolvers<CheckReply>();
  const thread = new Worker(new URL('./check.worker.ts', import.meta.url).href);
  thread.onmessage = ({ data }: MessageEvent<CheckReply>) => resolve(data);
  thread.onerror = ({ message }) => resolve({ error: message });
  thread.addEventListener('close', () => resolve({ error: 'the thread has ended' }));
  thread.postMessage({ path, restShare });
  return { reply: promise.finally(() => thread.terminate()), end: () => thread.terminate() };
};

export type ScanOptions = {
  /** 0 means never. */
  everyMs?: number | undefined;
  scanned?: (outcome: { durationMs: number } | { error: string }) => void;
};

type Deps = ScanOptions & {
  path: string;
  stopwatch: (() => number) | undefined;
  damaged(cause: DamageFound): void;
};

/** Scans the whole file soon after the start, then every `everyMs`. Stops after damage. */
export const createScan = ({
  path,
  everyMs = DAY_MS,
  stopwatch = () => performance.now(),
  damaged,
  scanned = () => undefined,
}: Deps) => {
  let isSuspect = everyMs > 0 && readDamageMark(path) !== undefined;
  let dueAt = stopwatch() + (isSuspect ? 0 : Math.min(FIRST_MS, everyMs));
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
    isSuspect = false;
    scanned({ durationMs: Math.round(stopwatch() - startedAt) });
  };

  return {
    /** Starts a scan if one is due. Does not wait for it: a scan may take minutes. */
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
    /** Whether an earlier start found damage, and no scan has passed since. */
    isSuspect: (): boolean => isSuspect,
    close: (): void => end?.(),
  };
};
