import type { CheckpointReply, Progress } from './checkpoint.worker.ts';
import type { SqliteConnection } from './connection.ts';
import { type Fault, faultOf, type Space } from './space.ts';

// A WAL with this many pages contains most pages several times. A checkpoint copies only the last version of each.
const CHECKPOINT_PAGES = 4000;

class CheckpointFailed extends Error {
  fault: Fault | undefined;
}

const createThread = (path: string) => {
  let thread: Worker | undefined;
  let refuse = (_error: Error): void => undefined;

  const start = (): Worker => {
    const started = new Worker(new URL('./checkpoint.worker.ts', import.meta.url).href);
    const lose = (): void => {
      // The `close` event follows the `error` event. By then, a new thread may already have replaced this thread.
      if (thread !== started) return;
      thread = undefined;
      refuse(new CheckpointFailed('the checkpoint thread stopped unexpectedly'));
    };
    started.onerror = lose;
    started.addEventListener('close', lose);
    return started;
  };

  const ask = (request: { path: string } | 'close') =>
    new Promise<Progress>((resolve, reject) => {
      thread ??= start();
      refuse = reject;
      thread.onmessage = ({ data }: MessageEvent<CheckpointReply>) =>
        'error' in data
          ? reject(Object.assign(new CheckpointFailed(data.error), { fault: data.fault }))
          : resolve(data);
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
  /** Called if a sync fails. From then on, no checkpoint may run, and the WAL must not be overwritten. */
  failed(cause: unknown): void;
  space: Pick<Space, 'checkpointFailed' | 'checkpointed'>;
  pages?: number | undefined;
};

/**
 * A thread copies most of the WAL while the service handles requests. SQLite can reuse the WAL only after all of its
 * pages have been copied, so writers pause while the last few pages are copied.
 */
export const createCheckpoints = ({ path, writer, failed, space, pages = CHECKPOINT_PAGES }: Deps) => {
  const { checkpoint, close: closeThread } = createThread(path);
  let dueAt = pages;
  let underway: Promise<unknown> | undefined;
  let isWanted = false;

  const note = (error: unknown): Fault | undefined => {
    const fault = error instanceof CheckpointFailed ? error.fault : faultOf(error, path);
    if (fault === 'full') space.checkpointFailed();
    else if (fault === 'unsynced') failed(error);
    return fault;
  };

  const begin = async (): Promise<void> => {
    isWanted = false;
    await checkpoint().catch(note);
    underway = undefined;
    checkpoints.needsFinish = true;
  };

  /** Must not be called during a transaction. */
  const checkpointHere = (): Progress | undefined => {
    try {
      return writer.one('PRAGMA wal_checkpoint(PASSIVE)', []) as Progress;
    } catch (error) {
      note(error);
      return undefined;
    }
  };

  const checkpoints = {
    needsFinish: false,
    async prepare(): Promise<void> {
      await checkpoint().catch(note);
    },
    noteCommit: (): void => {
      if (underway || checkpoints.needsFinish) return;
      try {
        const { log } = writer.one('PRAGMA wal_checkpoint(NOOP)', []) as Progress;
        if (isWanted || log >= dueAt) underway = begin();
      } catch (error) {
        note(error);
      }
    },
    retry: (): void => {
      isWanted = true;
    },
    async finish(): Promise<void> {
      const progress = await checkpoint().catch((error) => (note(error) === 'unsynced' ? undefined : checkpointHere()));
      if (progress) space.checkpointed();
      const isWhole = progress !== undefined && progress.checkpointed === progress.log;
      // If another program is reading the database, some pages stay in the WAL. In that case, the next checkpoint
      // starts only after more pages have been added.
      dueAt = pages + (isWhole ? 0 : dueAt);
      checkpoints.needsFinish = false;
    },
    async close(): Promise<void> {
      await underway;
      await closeThread();
    },
  };
  return checkpoints;
};

export type Checkpoints = ReturnType<typeof createCheckpoints>;
