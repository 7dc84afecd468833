import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { createQueue } from './group-queue.ts';
import { createSyncs, type Disk, failed, type NoteSync, settle } from './group-sync.ts';
import {
  type BodyState,
  createGroupTransaction,
  type Group,
  isLong,
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
export const createGroupCommit = (deps: Deps, elapsed = () => performance.now()) => {
  const { connection, bodies, disk, noteSync, stopwatch = elapsed } = deps;
  const queue = createQueue(elapsed);
  const turns = createTurns(disk);
  const syncs = createSyncs({ disk, elapsed, pending: queue.pending, ended: queue.wake, noteSync });
  const transaction = createGroupTransaction({ connection, bodies, elapsed: stopwatch, whileWaiting: syncs.answer });
  let running: Promise<void> | undefined;
  /** The group whose transaction is open. */
  let current = noGroup();

  /** Runs queued transactions until the current sync completes and no more writers are expected. */
  const runGroup = async (): Promise<void> => {
    for (; ; await turns.next()) {
      await runQueued(queue, transaction, current);
      if (syncs.isUnderway()) await queue.arrival();
      if (syncs.isUnderway()) continue;
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
    while (!queue.isEmpty() || syncs.isUnderway()) {
      if (queue.isEmpty() || (syncs.isUnderway() && disk.needsCheckpoint())) {
        await queue.arrival();
        syncs.answer();
        continue;
      }
      await turns.next();
      syncs.answer();
      if (!syncs.isUnderway() && disk.needsCheckpoint()) await disk.finishCheckpoint();
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
    /** How many transactions are queued, running or synced. */
    waiting: queue.pending,
    /** How long the oldest of them has waited. */
    waitedMs: () => ageOf(syncs.first() ?? current.transactions[0] ?? queue.first(), elapsed()),
    /** Resolves when nothing is queued, running or synced. */
    idle: async (): Promise<void> => running,
  };
};
