/** What a group of transactions needs of its connection. */
export type Connection = {
  begin(): void;
  commit(): void;
  rollback(): void;
  savepoint(): void;
  release(): void;
  rollbackToSavepoint(): void;
  /** False once the engine has given up the whole transaction by itself, as SQLite does when the disk is full. */
  inTransaction(): boolean;
  /** Whether an error says that another program holds the file. */
  isBusy(error: unknown): boolean;
};

/** What a group needs of the disk. The event loop goes on meanwhile. */
export type Disk = {
  /** Resolves once all that was committed is on disk and can be read. Until then nothing more is committed. */
  sync(): Promise<void>;
  /** Whether `rest` is wanted before the next transaction begins. */
  needsRest(): boolean;
  /** Runs while there is neither a transaction nor a sync. */
  rest(): Promise<void>;
};

type Outcome = { value: unknown } | { error: unknown };
type Job = { body: () => Promise<unknown>; settle: (outcome: Outcome) => void; queuedAt: number };

/** A group is one sync of the disk; a larger one would keep readers waiting longer than it saves. */
const LARGEST_GROUP = 256;

/** Of the time that a sync takes: so long those who were answered last are waited for although none has come yet. */
const PART_WAITED = 0.2;

const PATIENCE_MS = 1000;
const RETRY_MS = 20;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Commits transactions together: one sync for all. Each runs in a savepoint of its own, one after another, and is answered
 * only after the sync. While the disk syncs one group, the bodies of the next run in a transaction that stays open until
 * the disk is free.
 */
export const createGroupCommit = (
  connection: Connection,
  disk: Disk,
  elapsed: () => number = () => performance.now(),
) => {
  const queue: Job[] = [];
  let waiting = 0;
  let running: Promise<void> | undefined;
  /** Those whose transaction is open, and those whose sync is under way. */
  let current: Job[] = [];
  let syncing: readonly Job[] = [];
  let wake = (): void => undefined;
  /** As many are about to write as were answered last or wait already; `syncMs` is what a sync takes. */
  let expected = 0;
  let answeredAt = 0;
  let syncMs = Number.POSITIVE_INFINITY;

  const arrivalOrSync = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  const runOne = async ({ body }: Job): Promise<Outcome> => {
    connection.savepoint();
    try {
      const value = await body();
      connection.release();
      return { value };
    } catch (error) {
      if (!connection.inTransaction()) throw error;
      connection.rollbackToSavepoint();
      return { error };
    }
  };

  /** Another program may hold the file for a moment. The event loop goes on meanwhile. */
  const begin = async (): Promise<void> => {
    const deadline = elapsed() + PATIENCE_MS;
    for (;;) {
      try {
        return connection.begin();
      } catch (error) {
        if (!connection.isBusy(error) || elapsed() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };

  const runQueued = async (outcomes: Outcome[]): Promise<void> => {
    const next = queue.splice(0, LARGEST_GROUP - current.length);
    current.push(...next);
    for (const job of next) outcomes.push(await runOne(job));
  };

  /**
   * Whether it pays to let the disk stand idle for those who have just been answered and are about to write again. Whoever
   * misses this sync has to wait for all of the next, so that it does while they come quickly: `came` have since the disk is
   * free, the last of them at `cameAt`. One writer alone waits for nobody.
   */
  const paysToWait = (came: number, cameAt: number): boolean => {
    if (current.length >= Math.min(expected, LARGEST_GROUP)) return false;
    const now = elapsed();
    const idleMs = now - answeredAt;
    if (now - Math.max(cameAt, answeredAt) > syncMs * PART_WAITED) return false;
    return idleMs < syncMs * PART_WAITED || came * (syncMs + idleMs) > 2 * idleMs * current.length;
  };

  /** Runs whoever comes, until the disk is free and nobody else is waited for. */
  const runGroup = async (): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    let ranBefore = 0;
    let cameAt = 0;
    for (;;) {
      if (queue.length > 0) cameAt = elapsed();
      await runQueued(outcomes);
      if (syncing.length > 0) {
        await arrivalOrSync();
        ranBefore = current.length;
      } else if (!paysToWait(current.length - ranBefore, cameAt)) return outcomes;
      await nextTurn();
    }
  };

  const rollBack = (): void => {
    try {
      if (connection.inTransaction()) connection.rollback();
    } catch {
      // Nothing is committed either way, and the group has to hear of the first failure.
    }
  };

  const sync = async (group: readonly Job[], outcomes: readonly Outcome[]): Promise<void> => {
    const beganAt = elapsed();
    syncing = group;
    try {
      await disk.sync();
      answeredAt = elapsed();
      // The loop may have been busy when the disk was done, so that the shortest of late is the best guess.
      syncMs = Math.min(answeredAt - beganAt, syncMs * 1.2 + 0.1);
      expected = group.length + current.length + queue.length;
      for (const [index, job] of group.entries()) job.settle(outcomes[index] as Outcome);
    } catch (error) {
      for (const job of group) job.settle({ error });
    }
    syncing = [];
    wake();
  };

  /** Runs a group to its commit. Everyone of it is told if nothing of it is on disk. */
  const commitGroup = async (): Promise<void> => {
    try {
      await begin();
      const outcomes = await runGroup();
      const isUndone = outcomes.every((outcome) => 'error' in outcome);
      // Fails if the engine has given up the transaction although every body went on.
      if (isUndone) connection.rollback();
      else connection.commit();
      const group = current;
      current = [];
      if (isUndone) for (const [index, job] of group.entries()) job.settle(outcomes[index] as Outcome);
      else void sync(group, outcomes);
    } catch (error) {
      // Those whose bodies went well must hear of it too; those who came too late for it stand no better.
      rollBack();
      const group = current.length > 0 ? current : queue.splice(0, LARGEST_GROUP);
      current = [];
      for (const job of group) job.settle({ error });
    }
  };

  const drain = async (): Promise<void> => {
    while (queue.length > 0 || syncing.length > 0) {
      if (queue.length === 0 || (syncing.length > 0 && disk.needsRest())) {
        await arrivalOrSync();
        continue;
      }
      await nextTurn();
      if (disk.needsRest() && syncing.length === 0) await disk.rest();
      await commitGroup();
    }
    running = undefined;
  };

  return {
    run<Result>(body: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        waiting += 1;
        queue.push({
          body,
          queuedAt: elapsed(),
          settle: (outcome) => {
            waiting -= 1;
            if ('error' in outcome) reject(outcome.error);
            else resolve(outcome.value as Result);
          },
        });
        wake();
        running ??= drain();
      });
    },

    /** How many transactions are queued, running or synced. */
    waiting: () => waiting,

    /** How long the first of them has waited. */
    waitedMs: () => {
      const first = syncing[0] ?? current[0] ?? queue[0];
      return first ? elapsed() - first.queuedAt : 0;
    },

    /** Resolves when nothing is queued, running or synced. */
    async idle(): Promise<void> {
      await running;
    },
  };
};
