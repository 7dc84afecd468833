import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import {
  type BodyState,
  createGroupTransaction,
  type Group,
  isLong,
  type Outcome,
  type Transaction,
  type TransactionControl,
} from './group-transaction.ts';

type Deps = {
  connection: TransactionControl;
  bodies: BodyState;
  disk: Disk;
  noteSync?: NoteSync | undefined;
  /** Measures waits for another program that holds the file. */
  stopwatch?: (() => number) | undefined;
};

const noGroup = (): Group => ({ transactions: [], outcomes: [] });

/** The next turn of the event loop. `forceProgress` ends the wait for it, and the sync, while the loop is blocked. */
const createTurns = (disk: Disk) => {
  let endTurn = (): void => undefined;
  return {
    next: (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      endTurn = resolve;
      setImmediate(resolve);
      return promise;
    },
    forceProgress: (): void => {
      disk.syncNow();
      endTurn();
    },
  };
};

type Queue = ReturnType<typeof createQueue>;
type GroupTransaction = ReturnType<typeof createGroupTransaction>;

const runQueued = async (queue: Queue, { run }: GroupTransaction, group: Group): Promise<void> => {
  queue.moveInto(group);
  await run(group);
  if (!isLong(group)) return;
  // Transactions that arrived while a long one ran need no sync of their own.
  queue.moveInto(group);
  await run(group);
};

const ageOf = (transaction: Transaction | undefined, now: number): number =>
  transaction ? now - transaction.queuedAt : 0;

/**
 * Commits transactions in groups: one sync per group. Transactions run one after another, and each is answered only after
 * the sync. While one group syncs, the bodies of the next run in a transaction that stays open until the disk is free.
 */
export const createGroupCommit = (deps: Deps, elapsed = performance.now.bind(performance)) => {
  const { connection, bodies, disk, noteSync, stopwatch = elapsed } = deps;
  const queue = createQueue(elapsed);
  const turns = createTurns(disk);
  const syncs = createSyncs({ disk, elapsed, queue, noteSync });
  const transaction = createGroupTransaction({ connection, bodies, elapsed: stopwatch, whileWaiting: syncs.answer });
  let running: Promise<void> | undefined;
  /** The group whose transaction is open. */
  let current = noGroup();

  /** Runs queued transactions until the current sync completes and no more writers are expected. */
  const runGroup = async (): Promise<void> => {
    for (; ; await turns.next()) {
      await runQueued(queue, transaction, current);
      if (syncs.syncing) await queue.arrival();
      if (syncs.syncing) continue;
      if (isLong(current) || !syncs.shouldWait(current.transactions.length)) return;
      syncs.answer();
    }
  };

  /** Runs a group to its commit. If that fails, so do all its transactions. */
  const commitGroup = async (): Promise<void> => {
    try {
      await transaction.begin();
      await runGroup();
      const isCommitted = transaction.end(current);
      const group = current;
      current = noGroup();
      // The next sync starts before the last group is answered.
      if (isCommitted) void syncs.start(group);
      syncs.answer();
      if (!isCommitted) settle(group);
    } catch (error) {
      transaction.rollBack();
      // Also bodies that succeeded fail, and all queued ones if the transaction could not begin.
      if (current.transactions.length === 0) queue.moveInto(current);
      settle(failed(current, error));
      current = noGroup();
      syncs.answer();
    }
  };

  const drain = async (): Promise<void> => {
    while (!queue.isEmpty() || syncs.syncing) {
      if (queue.isEmpty() || (syncs.syncing && disk.needsCheckpoint())) {
        await queue.arrival();
        syncs.answer();
        continue;
      }
      await turns.next();
      syncs.answer();
      if (!syncs.syncing && disk.needsCheckpoint()) await disk.finishCheckpoint();
      await commitGroup();
    }
    syncs.answer();
    running = undefined;
  };

  return {
    run<Result>(body: () => MaybePromise<Result>, takesLong = false): Promise<Result> {
      const answered = queue.add(body, takesLong);
      running ??= drain();
      return answered;
    },

    /** For a long body: other requests are served before it continues. */
    pause: () => turns.next().then(syncs.answer),
    /** While the event loop is blocked: does the next step now, and waits for the disk. */
    forceProgress: turns.forceProgress,
    /** The number of transactions queued, running or synced. */
    backlog: queue as { readonly pending: number },
    /** How long the oldest of them has waited. */
    waitedMs: () => ageOf(syncs.first() ?? current.transactions[0] ?? queue.first(), elapsed()),
    /** Resolves when nothing is queued, running or synced. */
    idle: async (): Promise<void> => running,
  };
};

/**
 * Transactions waiting for a group, and the number not answered yet. A long transaction is the first of its group and the
 * only long one, so that no short transaction waits for two long ones. @internal
 */
export const createQueue = (elapsed: () => number) => {
  const short: Transaction[] = [];
  const long: Transaction[] = [];
  let isTurnOfLong = true;

  const queue = {
    /** The number of transactions not answered yet. */
    pending: 0,
    /** Ends the wait for an arrival. */
    wake: (): void => undefined,

    add<Result>(body: () => MaybePromise<Result>, isLong: boolean): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      queue.pending += 1;
      const settle = (outcome: Outcome): void => {
        queue.pending -= 1;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value as Result);
      };
      (isLong ? long : short).push({ body, isLong, queuedAt: elapsed(), settle });
      queue.wake();
      return promise;
    },

    moveInto(group: Group): void {
      const { transactions } = group;
      const isNew = transactions.length === 0;
      if (isNew && long[0] && (isTurnOfLong || short.length === 0)) {
        isTurnOfLong = false;
        transactions.push(...long.splice(0, 1));
        return;
      }
      if (isNew) isTurnOfLong = true;
      transactions.push(...short.splice(0, LARGEST_GROUP - transactions.length));
    },

    isEmpty: () => short.length === 0 && long.length === 0,
    first: () => short[0] ?? long[0],
    /** Resolves at the next `add` or `wake`. */
    arrival: (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      queue.wake = resolve;
      return promise;
    },
  };
  return queue;
};

/** What a group needs of the disk. The event loop runs meanwhile. */
export type Disk = {
  /** Resolves once all commits are on disk and can be read. Until then nothing more is committed. */
  sync(): Promise<void>;
  /** Completes the current sync, if any, before it returns. */
  syncNow(): void;
  /** Whether `finishCheckpoint` must run before the next transaction begins. */
  needsCheckpoint(): boolean;
  /** Runs only while there is neither a transaction nor a sync. */
  finishCheckpoint(): Promise<void>;
};

/** A larger group would keep readers waiting longer than it saves. @internal */
export const LARGEST_GROUP = 256;

/** Processor time of a request that writes, roughly. */
const REQUEST_MS = 0.1;

const settle = ({ transactions, outcomes }: Group): void => {
  for (const [index, transaction] of transactions.entries()) transaction.settle(outcomes[index] as Outcome);
};
const failed = ({ transactions }: Group, error: unknown): Group => ({
  transactions,
  outcomes: transactions.map(() => ({ error })),
});

/** Called after the sync of each group. */
export type NoteSync = (transactions: number, syncMs: number) => void;

type SyncDeps = {
  disk: Disk;
  elapsed(): number;
  queue: { pending: number; wake(): void };
  noteSync?: NoteSync | undefined;
};

/** Syncs one group at a time. The caller decides when a synced group is answered. @internal */
export const createSyncs = ({ disk, elapsed, queue, noteSync }: SyncDeps) => {
  let synced: Group | undefined;
  let freeAt = 0;
  let syncMs = Number.POSITIVE_INFINITY;
  /** Estimated concurrent writers: the group synced last, and those already waiting. */
  let writers = 0;

  const syncs = {
    /** The group that is synced now. */
    syncing: undefined as Group | undefined,

    async start(group: Group): Promise<void> {
      const beganAt = elapsed();
      syncs.syncing = group;
      try {
        await disk.sync();
        noteSync?.(group.transactions.length, elapsed() - beganAt);
        synced = group;
      } catch (error) {
        synced = failed(group, error);
      }
      syncs.syncing = undefined;
      freeAt = elapsed();
      // The event loop may notice the end late, so the shortest recent sync is the best estimate.
      syncMs = Math.min(freeAt - beganAt, syncMs * 1.02 + 0.01);
      writers = queue.pending;
      queue.wake();
    },

    /** The oldest transaction not answered yet. */
    first: () => (synced ?? syncs.syncing)?.transactions[0],

    answer(): void {
      if (synced) settle(synced);
      synced = undefined;
    },

    /**
     * Whether to wait for more writers before the next commit, given the size of the group. If all writers can be back
     * within one sync, they share it instead of alternating between two. Waits at most half a sync.
     */
    shouldWait: (count: number): boolean =>
      count < Math.min(writers, LARGEST_GROUP) && writers * REQUEST_MS < syncMs && elapsed() - freeAt < syncMs / 2,
  };
  return syncs;
};
