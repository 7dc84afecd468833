import { readFileSync, rmSync, statSync } from 'node:fs';
import { DAY_MS, elapsed, tryTo } from '../../../kernel/runtime.ts';
import { DamageFound } from '../connection.ts';
import { makeFile } from '../files.ts';
import type { CheckReply } from './check.worker.ts';

const FIRST_MS = 300_000;
/** The pause after a slice is three times as long as the slice, so a scan uses at most a quarter of a core. */
const REST_SHARE = 3;

const markOf = (file: string): string => `${file}.damaged`;

export const readDamageMark = (file: string): { damage: string; foundAt: Date } | undefined => {
  const found = statSync(markOf(file), { throwIfNoEntry: false });
  if (!found) return undefined;
  try {
    return { damage: readFileSync(markOf(file), 'utf8').trim(), foundAt: found.mtime };
  } catch (error) {
    // The existence of the file marks the database as damaged, even if this user lacks permission to read the file.
    return { damage: (error as Error).message, foundAt: found.mtime };
  }
};

/** Removes the mark if `damage` is undefined. Ignores errors, because the log and a metric also report the damage. */
export const markDamage = (file: string, damage?: string): void => {
  tryTo(() => (damage === undefined ? rmSync(markOf(file), { force: true }) : makeFile(markOf(file), `${damage}\n`)));
};

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
  /** How often to scan. 0 disables scans. */
  everyMs?: number | undefined;
  scanned?: (outcome: { durationMs: number } | { error: string }) => void;
};

type Deps = ScanOptions & { path: string; stopwatch: (() => number) | undefined; damaged(cause: DamageFound): void };

export const createScan = (deps: Deps) => {
  const { path, everyMs = DAY_MS, stopwatch = elapsed, damaged, scanned = () => undefined } = deps;
  const isMarked = everyMs > 0 && readDamageMark(path) !== undefined;
  let dueAt = stopwatch() + (isMarked ? 0 : Math.min(FIRST_MS, everyMs));
  let check: ReturnType<typeof checkInThread> | undefined;
  let isClosed = false;

  const settle = (reply: CheckReply, startedAt: number): void => {
    if (isClosed) return;
    check = undefined;
    if ('error' in reply) {
      dueAt = stopwatch() + Math.min(FIRST_MS, everyMs);
      scanned(reply);
    } else if (reply.damage !== undefined) {
      dueAt = Number.POSITIVE_INFINITY;
      damaged(new DamageFound(`${path} is damaged: ${reply.damage}`));
    } else {
      markDamage(path);
      scan.isSuspect = false;
      scanned({ durationMs: Math.round(stopwatch() - startedAt) });
    }
  };

  const scan = {
    isSuspect: isMarked,
    async begin(): Promise<void> {
      const now = stopwatch();
      if (check || now < dueAt) return;
      dueAt = now + everyMs;
      check = checkInThread(path, REST_SHARE);
      void check.reply.then((reply) => settle(reply, now));
    },
    close(): void {
      isClosed = true;
      check?.end();
    },
  };
  return scan;
};
