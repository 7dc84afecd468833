import type { MaybePromise } from '../kernel/maybe-promise.ts';

/** What a group of transactions needs of its connection. */
export type TransactionControl = {
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

/** What is kept beside the connection for each transaction of a group. */
export type Bodies = {
  begin(): void;
  undo(): void;
  /** Whether anything was written since `begin`. */
  hasWritten(): boolean;
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
type Transaction = { body: () => MaybePromise<unknown>; settle: (outcome: Outcome) => void; queuedAt: number };
type Group = { transactions: Transaction[]; outcomes: Outcome[] };

/** Both in milliseconds: the time by a clock that is never set back, and what the process has used of the processor. */
export type Clocks = { elapsed(): number; used(): number };

const CLOCKS: Clocks = {
  elapsed: () => performance.now(),
  used: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/** A group is one sync of the disk; a larger one would keep readers waiting longer than it saves. */
const LARGEST_GROUP = 256;

/** Of the time that a sync takes: so long the next one to come is waited for, and so long all of them. */
const PART_WAITED = 0.2;
const MOST_WAITED = 1.5;

/** How quickly is forgotten what was used before. */
const PART_FORGOTTEN = 0.1;

const PATIENCE_MS = 1000;
const RETRY_MS = 20;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const settle = ({ transactions, outcomes }: Group): void => {
  for (const [index, transaction] of transactions.entries()) transaction.settle(outcomes[index] as Outcome);
};
const failed = ({ transactions }: Group, error: unknown): Group => ({
  transactions,
  outcomes: transactions.map(() => ({ error })),
});

/**
 * Commits transactions together: one sync for all. They run one after another, and each is answered only after the sync.
 * While the disk syncs one group, the bodies of the next run in a transaction that stays open until the disk is free.
 *
 * A savepoint for each would cost as much as all that an average one writes. So there is none, until one fails that has
 * written something: then all of the group are undone and run again, each in a savepoint.
 */
export const createGroupCommit = (
  { connection, bodies, disk }: { connection: TransactionControl; bodies: Bodies; disk: Disk },
  { elapsed, used }: Clocks = CLOCKS,
) => {
  const queue: Transaction[] = [];
  let waiting = 0;
  let running: Promise<void> | undefined;
  /** Whose transaction is open, whose sync is under way, and who is on disk and not answered yet. */
  let current: Group = { transactions: [], outcomes: [] };
  let syncing: Group | undefined;
  let synced: Group | undefined;
  let wake = (): void => undefined;
  /** Whether the bodies of the open transaction run in savepoints. */
  let isCareful = false;

  /** So many write all the time: those who were synced last, and those who wait already. */
  let writers = 0;
  let freeAt = 0;
  let syncMs = Number.POSITIVE_INFINITY;
  /** What the process has used of the processor lately, and for how many transactions. */
  let usedAt = used();
  let usedMs = 0;
  let served = 0;

  const arrivalOrSync = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  const answer = (): void => {
    if (synced) settle(synced);
    synced = undefined;
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
        answer();
      }
    }
  };

  /** Undefined if it has failed and is to be run again, as all before it are. */
  const runOne = async ({ body }: Transaction): Promise<Outcome | undefined> => {
    bodies.begin();
    if (isCareful) connection.savepoint();
    try {
      const value = await body();
      if (isCareful) connection.release();
      return { value };
    } catch (error) {
      if (!connection.inTransaction()) throw error;
      if (isCareful) connection.rollbackToSavepoint();
      else if (bodies.hasWritten()) {
        connection.rollback();
        await begin();
        isCareful = current.outcomes.some((outcome) => 'value' in outcome);
        if (isCareful) return undefined;
      }
      bodies.undo();
      return { error };
    }
  };

  const runQueued = async (): Promise<void> => {
    const { transactions, outcomes } = current;
    transactions.push(...queue.splice(0, LARGEST_GROUP - transactions.length));
    while (outcomes.length < transactions.length) {
      const outcome = await runOne(transactions[outcomes.length] as Transaction);
      if (outcome) outcomes.push(outcome);
      else outcomes.length = 0;
    }
  };

  const learn = (count: number, beganAt: number): void => {
    freeAt = elapsed();
    // The loop may have been busy when the disk was done, so that the shortest of late is the best guess.
    syncMs = Math.min(freeAt - beganAt, syncMs * 1.2 + 0.1);
    writers = count + current.transactions.length + queue.length;
    const usedNow = used();
    usedMs = usedMs * (1 - PART_FORGOTTEN) + usedNow - usedAt;
    served = served * (1 - PART_FORGOTTEN) + count;
    usedAt = usedNow;
  };

  const sync = async (group: Group): Promise<void> => {
    const beganAt = elapsed();
    syncing = group;
    try {
      await disk.sync();
      synced = group;
    } catch (error) {
      synced = failed(group, error);
    }
    syncing = undefined;
    learn(group.transactions.length, beganAt);
    wake();
  };

  /**
   * Whether the disk is to stand idle until those whom it has just served are back. If what they all need of the processor
   * takes much longer than a sync, the disk is not what they wait for: half of them at a time keep both busy. One writer
   * alone waits for nobody.
   */
  const paysToWait = (cameAt: number): boolean => {
    const mostMs = syncMs * MOST_WAITED;
    const isDiskQuick = (writers * usedMs) / served > mostMs;
    if (current.transactions.length >= Math.min(isDiskQuick ? writers / 2 : writers, LARGEST_GROUP)) return false;
    const now = elapsed();
    return now - Math.max(cameAt, freeAt) < syncMs * PART_WAITED && (isDiskQuick || now - freeAt < mostMs);
  };

  /** Runs whoever comes, until the disk is free and nobody else is waited for. */
  const runGroup = async (): Promise<void> => {
    for (let cameAt = 0; ; await nextTurn()) {
      const isSomebodyNew = queue.length > 0;
      await runQueued();
      if (isSomebodyNew) cameAt = elapsed();
      if (syncing) await arrivalOrSync();
      if (syncing) continue;
      if (!paysToWait(cameAt)) return;
      answer();
    }
  };

  const rollBack = (): void => {
    try {
      if (connection.inTransaction()) connection.rollback();
    } catch {
      // Nothing is committed either way, and the group has to hear of the first failure.
    }
  };

  /** Runs a group to its commit. Everyone of it is told if nothing of it is on disk. */
  const commitGroup = async (): Promise<void> => {
    try {
      isCareful = false;
      await begin();
      await runGroup();
      const isUndone = current.outcomes.every((outcome) => 'error' in outcome);
      // Fails if the engine has given up the transaction although every body went on.
      if (isUndone) connection.rollback();
      else connection.commit();
      const group = current;
      current = { transactions: [], outcomes: [] };
      const last = synced;
      synced = undefined;
      // The disk is busy again before anyone is answered.
      if (!isUndone) void sync(group);
      if (last) settle(last);
      if (isUndone) settle(group);
    } catch (error) {
      rollBack();
      // Those whose bodies went well must hear of it too, and all who wait if none could begin.
      if (current.transactions.length === 0) current.transactions.push(...queue.splice(0, LARGEST_GROUP));
      settle(failed(current, error));
      current = { transactions: [], outcomes: [] };
      answer();
    }
  };

  const drain = async (): Promise<void> => {
    while (queue.length > 0 || syncing) {
      if (queue.length === 0 || (syncing && disk.needsRest())) {
        await arrivalOrSync();
        answer();
        continue;
      }
      await nextTurn();
      answer();
      if (!syncing && disk.needsRest()) await disk.rest();
      await commitGroup();
    }
    answer();
    running = undefined;
  };

  return {
    run<Result>(body: () => MaybePromise<Result>): Promise<Result> {
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
      const first = (synced ?? syncing ?? current).transactions[0] ?? queue[0];
      return first ? elapsed() - first.queuedAt : 0;
    },

    /** Resolves when nothing is queued, running or synced. */
    async idle(): Promise<void> {
      await running;
    },
  };
};
