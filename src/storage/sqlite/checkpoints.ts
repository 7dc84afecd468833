import { isUnsynced, type SqliteConnection } from './connection.ts';
import { isOutOfSpace, type Space } from './space.ts';

/** So many pages gather in the log before they are written to their places: most have changed several times by then. */
const CHECKPOINT_PAGES = 4000;

/** As `PRAGMA wal_checkpoint` tells it: pages in the log, and how many of them are in their places. */
type Progress = { log: bigint | number; checkpointed: bigint | number };

/** A checkpoint in which a sync failed: nobody knows which of its pages are on disk. */
class Unsynced extends Error {}

/** A checkpoint for which the disk has no space. Its pages are safe in the log. */
class Full extends Error {}

/** A thread that writes pages of the log to their places, made when it is first needed. It does one thing at a time. */
const createThread = (path: string) => {
  let thread: Worker | undefined;
  let refuse = (_error: Error): void => undefined;

  const start = (): Worker => {
    const started = new Worker(new URL('./checkpoint.worker.ts', import.meta.url).href);
    const lose = (): void => {
      // It tells of its end after its failure, when another may have taken its place.
      if (thread !== started) return;
      thread = undefined;
      refuse(new Error('the thread has ended'));
    };
    started.onerror = lose;
    started.addEventListener('close', lose);
    return started;
  };

  const ask = (request: { path: string } | 'close') =>
    new Promise<Progress>((resolve, reject) => {
      thread ??= start();
      refuse = reject;
      thread.onmessage = ({ data }) => {
        if (!('error' in data)) return resolve(data);
        if (data.isUnsynced) return reject(new Unsynced(data.error));
        reject(data.isFull ? new Full(data.error) : new Error(data.error));
      };
      thread.postMessage(request);
    });

  return {
    checkpoint: () => ask({ path }),
    close: async (): Promise<void> => {
      if (thread) await ask('close').catch(() => undefined);
      thread?.terminate();
    },
  };
};

type Deps = {
  path: string;
  writer: SqliteConnection;
  /** Hears of a sync that has failed. No checkpoint may be made after it, nor the log be used from its start again. */
  failed(cause: unknown): void;
  space: Pick<Space, 'checkpointFailed' | 'checkpointed'>;
  pages?: number | undefined;
};

/**
 * Keeps the log short. Most of it is written to its place by another thread while requests are served; the log is used
 * from its start again only when all of it is, so that writers have to rest for the last few pages.
 */
export const createCheckpoints = ({ path, writer, failed, space, pages = CHECKPOINT_PAGES }: Deps) => {
  const thread = createThread(path);
  let dueAt = pages;
  let underway: Promise<unknown> | undefined;
  let needsFinish = false;
  let isWanted = false;

  const note = (error: unknown): void => {
    if (error instanceof Full || isOutOfSpace(error, path)) space.checkpointFailed();
    else if (error instanceof Unsynced || isUnsynced(error)) failed(error);
  };

  const begin = (): void => {
    isWanted = false;
    underway = thread
      .checkpoint()
      // What cannot be done beside the writer is done while it rests.
      .catch(note)
      .then(() => {
        underway = undefined;
        needsFinish = true;
      });
  };

  /** By the writer itself, if it can: not inside a transaction. */
  const ask = (mode: 'NOOP' | 'PASSIVE'): Progress | undefined => {
    try {
      return writer.one(`PRAGMA wal_checkpoint(${mode})`, []) as Progress;
    } catch (error) {
      // Pages that cannot be brought to their places are safe in the log.
      note(error);
      return undefined;
    }
  };

  return {
    prepare: (): Promise<void> => thread.checkpoint().then(() => undefined, note),
    /** Has to run after each commit. */
    noteCommit: (): void => {
      if (!underway && !needsFinish && (isWanted || Number(ask('NOOP')?.log) >= dueAt)) begin();
    },
    /** Makes a checkpoint after the next commit, even if the log is short. */
    retry: (): void => {
      isWanted = true;
    },
    needsFinish: (): boolean => needsFinish,
    async finish(): Promise<void> {
      const progress = await thread.checkpoint().catch((error) => {
        note(error);
        return error instanceof Unsynced ? undefined : ask('PASSIVE');
      });
      if (progress) space.checkpointed();
      const isWhole = progress !== undefined && progress.checkpointed === progress.log;
      // Another program that reads may keep pages in the log; it is not asked about them at every commit.
      dueAt = pages + (isWhole ? 0 : dueAt);
      needsFinish = false;
    },
    async close(): Promise<void> {
      await underway;
      await thread.close();
    },
  };
};
