import { closeSync, existsSync, fdatasync, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { BackupYielded, DatabaseUnusable } from '../../unusable.ts';
import { makeFolder, putInPlace, removeUnfinished } from '../files.ts';
import { planSqliteMigrations } from '../open.ts';
import { freeBytesAt } from '../space.ts';
import type { BackupFacts } from './manifest.ts';
import { markReading } from './yield.ts';

/** A start waits for the file: whatever it asks for is done within this and a little more. */
const LOOK_MS = 100;

type BackupStep = 'checking the source' | 'copying' | 'checking the copy';
export type BackupProgress = { doneBytes: number; totalBytes: number; step: BackupStep };

export type BackupOrder = {
  /** The database, which a service may have open. */
  path: string;
  to: string;
  clock: Clock;
  /** Calls it off. */
  signal?: AbortSignal;
  tell?(progress: BackupProgress): void;
  freeBytes?(folder: string): number;
};

/** A link that leads nowhere is somebody's, too. */
const mustBeNew = (to: string): void => {
  if (lstatSync(to, { throwIfNoEntry: false }))
    throw new DatabaseUnusable(`${to} is there already; name a file that is not, or a folder`);
};

const MB = 1_000_000;

const refuseWithoutRoom = (to: string, neededBytes: number, freeBytes: number): void => {
  if (freeBytes >= neededBytes) return;
  const [needed, free] = [neededBytes, freeBytes].map((bytes) => `${Math.ceil(bytes / MB).toLocaleString('en')} MB`);
  throw new DatabaseUnusable(`there is no room for ${to}: it takes up to ${needed}, and ${free} are free`);
};

/**
 * Brings to the disk, while the copy is made, what is there of it: at its end, a whole file that waits to be written would keep the
 * syncs of the service waiting.
 */
const createBackgroundSync = (path: string) => {
  let file: number | undefined;
  let isBusy = false;
  return {
    go(): void {
      if (isBusy || !existsSync(path)) return;
      file ??= openSync(path, 'r+');
      isBusy = true;
      // A disk that fails says so to the last sync, too.
      fdatasync(file, () => {
        isBusy = false;
      });
    },
    end(): void {
      if (file !== undefined) closeSync(file);
    },
  };
};

type Told = { step?: BackupStep; facts?: BackupFacts; damage?: string; error?: string };

const refuseDamaged = (path: string, to: string, damage: string): DatabaseUnusable =>
  new DatabaseUnusable(
    `${to} was not made, because ${path} is damaged: ${damage}; keep your older backups, and see "A damaged database" in docs/operating.md`,
  );

/** Has a thread make the copy and looks after it. A thread that is given up is ended with the process. */
const makeCopy = (order: BackupOrder, unfinished: string, mustYield: () => boolean) => {
  const { path, to, clock, signal, tell } = order;
  const { promise, resolve, reject } = Promise.withResolvers<BackupFacts>();
  const thread = new Worker(new URL('./backup.worker.ts', import.meta.url).href);
  const backgroundSync = createBackgroundSync(unfinished);
  const totalBytes = statSync(path).size;
  let step: BackupStep = 'checking the source';

  const look = (): void => {
    if (mustYield()) reject(new BackupYielded(`${to} was not made: the service is starting; make it again`));
    const doneBytes = statSync(unfinished, { throwIfNoEntry: false })?.size ?? 0;
    tell?.({ doneBytes: Math.min(doneBytes, totalBytes), totalBytes, step });
    if (step === 'copying') backgroundSync.go();
  };
  const timer = setInterval(look, LOOK_MS);
  const fail = (reason: string): void => reject(new DatabaseUnusable(`cannot make ${to}: ${reason}`));

  thread.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.step) step = data.step;
    else if (data.damage !== undefined) reject(refuseDamaged(path, to, data.damage));
    else if (data.facts) resolve(data.facts);
    else fail(data.error ?? 'its thread has ended');
  };
  thread.onerror = ({ message }) => fail(message);
  signal?.addEventListener('abort', () => reject(new DatabaseUnusable(`${to} was not made: it was called off`)));
  thread.postMessage({ path, unfinished, madeAt: clock() });
  look();
  return promise.finally(() => {
    clearInterval(timer);
    backgroundSync.end();
    thread.terminate();
  });
};

const makeBackup = async (order: BackupOrder) => {
  const { to, path, freeBytes = freeBytesAt } = order;
  if (planSqliteMigrations(path).seen === 0)
    throw new DatabaseUnusable(`there is no database at ${path} yet; DATABASE_URL says where it is`);
  mustBeNew(to);
  makeFolder(dirname(to));
  const file = realpathSync(path);
  refuseWithoutRoom(to, statSync(file).size, freeBytes(dirname(to)));
  const reading = markReading(file);
  const unfinished = `${to}.copying`;
  try {
    removeUnfinished(unfinished);
    const facts = await makeCopy({ ...order, path: file }, unfinished, reading.mustYield);
    mustBeNew(to);
    putInPlace(unfinished, to);
    return { facts, bytes: statSync(to).size };
  } finally {
    removeUnfinished(unfinished);
    reading.end();
  }
};

/**
 * Writes a sealed copy of a database, whether or not a service has it open, and says what is in it once it is on disk. Under its name
 * there is a whole copy or nothing. It reads through SQLite alone: nobody's locks are touched, and nobody waits for it.
 */
export const backUpOnline = (order: BackupOrder) =>
  makeBackup(order).catch((error: Error) => {
    if (error instanceof DatabaseUnusable) throw error;
    throw new DatabaseUnusable(`cannot make ${order.to}: ${error.message}`, { cause: error });
  });
