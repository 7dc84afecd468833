import type { Soon } from '../kernel/soon.ts';

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

type Outcome = { value: unknown } | { error: unknown };
type Job = { body: () => Soon<unknown>; settle: (outcome: Outcome) => void; queuedAt: number };

/** A group is one sync of the disk; a larger one would keep readers waiting longer than it saves. */
const LARGEST_GROUP = 256;

/** Of the time that a commit takes. */
const PART_WAITED = 0.2;

const PATIENCE_MS = 1000;
const RETRY_MS = 20;

/**
 * Collects the transactions of one turn of the event loop and commits them together: one sync for all. Each runs in a
 * savepoint of its own, one after another, and is answered only after the commit.
 */
export const createGroupCommit = (connection: Connection, elapsed: () => number = () => performance.now()) => {
  let queue: Job[] = [];
  let waiting = 0;
  let running: Promise<void> | undefined;
  /** The group that runs now, or ran last, and how long its commit took. */
  let current: readonly Job[] = [];
  let isRunning = false;
  let commitMs = 0;

  const runOne = async ({ body }: Job, alone: boolean): Promise<Outcome> => {
    if (!alone) connection.savepoint();
    try {
      const value = await body();
      if (!alone) connection.release();
      return { value };
    } catch (error) {
      if (!connection.inTransaction()) throw error;
      if (alone) connection.rollback();
      else connection.rollbackToSavepoint();
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

  /** Runs the group to its commit. Throws if nothing of it is on disk. */
  const runAll = async (group: readonly Job[]): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    await begin();
    for (const job of group) outcomes.push(await runOne(job, group.length === 1));
    const isUndone = group.length === 1 && outcomes.some((outcome) => 'error' in outcome);
    // Fails if the engine has given up the transaction although every body went on.
    const beganAt = elapsed();
    if (!isUndone) connection.commit();
    commitMs = elapsed() - beganAt;
    return outcomes;
  };

  const rollBack = (): void => {
    try {
      if (connection.inTransaction()) connection.rollback();
    } catch {
      // Nothing is committed either way, and the group has to hear of the first failure.
    }
  };

  const runGroup = async (group: readonly Job[]): Promise<void> => {
    try {
      const outcomes = await runAll(group);
      for (const [index, job] of group.entries()) job.settle(outcomes[index] as Outcome);
    } catch (error) {
      // Those whose bodies went well must hear of it too.
      rollBack();
      for (const job of group) job.settle({ error });
    }
  };

  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

  /**
   * Those who have just been answered are about to write again: the next group waits for as many as the last had, but
   * never for long against what the commit takes. One writer alone waits for nobody.
   */
  const gather = async (): Promise<void> => {
    await nextTurn();
    const deadline = elapsed() + commitMs * PART_WAITED;
    while (queue.length < current.length && elapsed() < deadline) await nextTurn();
  };

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      await gather();
      current = queue.slice(0, LARGEST_GROUP);
      queue = queue.slice(LARGEST_GROUP);
      isRunning = true;
      await runGroup(current);
      isRunning = false;
    }
    running = undefined;
  };

  return {
    run<Result>(body: () => Soon<Result>): Promise<Result> {
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
        running ??= drain();
      });
    },

    /** How many transactions are queued or running. */
    waiting: () => waiting,

    /** How long the first of them has waited. */
    waitedMs: () => {
      const first = isRunning ? current[0] : queue[0];
      return first ? elapsed() - first.queuedAt : 0;
    },

    /** Resolves when nothing is queued or running. */
    async idle(): Promise<void> {
      await running;
    },
  };
};
