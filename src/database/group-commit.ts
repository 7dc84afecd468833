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
type Job = { body: () => Promise<unknown>; settle: (outcome: Outcome) => void; queuedAt: number };

/** A group is one sync of the disk; a larger one would keep readers waiting longer than it saves. */
const LARGEST_GROUP = 256;

const PATIENCE_MS = 1000;
const RETRY_MS = 20;

/**
 * Collects the transactions of one turn of the event loop and commits them together: one sync for all. Each runs in a
 * savepoint of its own, one after another, and is answered only after the commit.
 */
export const createGroupCommit = (connection: Connection) => {
  let queue: Job[] = [];
  let waiting = 0;
  let running: Promise<void> | undefined;
  /** The group that runs now. */
  let current: readonly Job[] = [];

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
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return connection.begin();
      } catch (error) {
        if (!connection.isBusy(error) || performance.now() > deadline) throw error;
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
    if (!isUndone) connection.commit();
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

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      current = queue.slice(0, LARGEST_GROUP);
      queue = queue.slice(LARGEST_GROUP);
      await runGroup(current);
      current = [];
    }
    running = undefined;
  };

  return {
    run<Result>(body: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        waiting += 1;
        queue.push({
          body,
          queuedAt: performance.now(),
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
      const first = current[0] ?? queue[0];
      return first ? performance.now() - first.queuedAt : 0;
    },

    /** Resolves when nothing is queued or running. */
    async idle(): Promise<void> {
      await running;
    },
  };
};
