import { lstatSync, realpathSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, shareRuns, tryTo } from '../../../kernel/runtime.ts';
import { asUnusable, BackupYielded, DatabaseUnusable } from '../../unusable.ts';
import { makeFile, makeFolder, putInPlace, removeWithJournal } from '../files.ts';
import { markReading } from '../lock.ts';
import { planSqliteMigrations } from '../open.ts';
import { freeBytesAt, megabytes } from '../space.ts';
import type { BackupMessage, BackupStep } from './backup.worker.ts';
import type { BackupFacts } from './manifest.ts';

const POLL_MS = 100;

export type BackupOrder = {
  path: string;
  to: string;
  clock: Clock;
  signal?: AbortSignal;
  tell?(progress: { doneBytes: number; totalBytes: number; step: BackupStep }): void;
  freeBytes?(folder: string): number;
};

const refuseToOverwrite = (to: string): void => {
  if (lstatSync(to, { throwIfNoEntry: false }))
    throw new DatabaseUnusable(`${to} already exists; choose another file name, or specify a folder`);
};

/** Syncs the copy while it is written, because a single large sync at the end would delay a running service's syncs. */
const createBackgroundSync = (path: string) =>
  shareRuns(async () => {
    const { open } = await import('node:fs/promises');
    await using file = await open(path, 'r+');
    await file.datasync();
  });

const makeCopy = (order: BackupOrder, unfinished: string, mustYield: () => boolean) => {
  const { path, to, clock, signal, tell } = order;
  const { promise, resolve, reject } = Promise.withResolvers<BackupFacts>();
  const thread = new Worker(new URL('./backup.worker.ts', import.meta.url).href);
  const syncInBackground = createBackgroundSync(unfinished);
  const totalBytes = statSync(path).size;
  let step: BackupStep = 'checking the source';
  const fail = (reason: string): void => reject(new DatabaseUnusable(reason));

  const look = (): void => {
    if (mustYield())
      reject(new BackupYielded(`${to} was not created, because the service is starting; run the backup again`));
    const doneBytes = statSync(unfinished, { throwIfNoEntry: false })?.size ?? 0;
    tell?.({ doneBytes: Math.min(doneBytes, totalBytes), totalBytes, step });
    // Errors are ignored here, because the final sync reports them.
    if (step === 'copying') syncInBackground().catch(() => undefined);
  };
  const timer = setInterval(look, POLL_MS);

  thread.onmessage = ({ data }: MessageEvent<BackupMessage>) => {
    if ('step' in data) step = data.step;
    else if ('facts' in data) resolve(data.facts);
    else if ('error' in data) fail(`cannot create ${to}: ${data.error}`);
    else
      fail(
        `${to} was not created, because ${path} is damaged: ${data.damage}; keep your older backups, and see "A damaged database" in docs/operating/troubleshoot.md`,
      );
  };
  thread.onerror = ({ message }) => fail(`cannot create ${to}: ${message}`);
  signal?.addEventListener('abort', () => fail(`${to} was not created: the backup was cancelled`));
  thread.postMessage({ path, unfinished, madeAt: clock() });
  look();
  return promise.finally(() => {
    clearInterval(timer);
    thread.terminate();
  });
};

const makeBackup = async (order: BackupOrder) => {
  const { to, path, freeBytes = freeBytesAt } = order;
  if (planSqliteMigrations(path).seen === 0)
    throw new DatabaseUnusable(`there is no database at ${path} yet; check DATABASE_URL`);
  refuseToOverwrite(to);
  makeFolder(dirname(to));
  const file = realpathSync(path);
  const [needed, free] = [statSync(file).size, freeBytes(dirname(to))];
  if (free < needed)
    throw new DatabaseUnusable(
      `not enough space for ${to}: the backup needs up to ${megabytes(needed)}, but only ${megabytes(free)} is available; free up some space, or choose another disk`,
    );
  using reading = markReading(file);
  const unfinished = `${to}.copying`;
  try {
    removeWithJournal(unfinished);
    const facts = await makeCopy({ ...order, path: file }, unfinished, reading.mustYield);
    refuseToOverwrite(to);
    putInPlace(unfinished, to);
    return { facts, bytes: statSync(to).size };
  } finally {
    removeWithJournal(unfinished);
  }
};

/** Can run while a service is using the database, because SQLite respects the service's locks. */
export const backUpOnline = (order: BackupOrder) =>
  makeBackup(order).catch((error) => {
    throw asUnusable(error, `cannot create ${order.to}`);
  });

/** The modification time of this empty file is the time of the last finished backup. */
const stampOf = (path: string): string => `${path}.backed-up`;

export const noteBackup = (path: string, madeAt: number): void => {
  // A backup succeeds even if its time cannot be recorded, for example because the disk is full.
  tryTo(() => {
    // Replaces the old file, because it may belong to another user, and only a file's owner may set its time.
    makeFile(stampOf(path), '');
    utimesSync(stampOf(path), madeAt / 1000, madeAt / 1000);
  });
};

export const lastBackupAt = (path: string): number | undefined =>
  statSync(stampOf(path), { throwIfNoEntry: false })?.mtimeMs;
