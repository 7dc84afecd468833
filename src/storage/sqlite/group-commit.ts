import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { createQueue } from './group-queue.ts';
import { createSyncs, type Disk, failed, type NoteSync, settle } from './group-sync.ts';
import {
  type Bodies,
  createGroupTransaction,
  type Group,
  isLong,
  type Transaction,
  type TransactionControl,
} from './group-transaction.ts';

type Deps = {
  connection: TransactionControl;
  bodies: Bodies;
  disk: Disk;
  noteSync?: NoteSync | undefined;
  /** Measures how long another program that holds the file is waited for, where that has a clock of its own. */
  stopwatch?: (() => number) | undefined;
};

const noGroup = (): Group => ({ transactions: [], outcomes: [] });

/** The next turn of the event loop, and what is done where it does not come: as if it had, and the disk with it. */
const createTurns = (disk: Disk) => {
  let come = (): void => undefined;
  return {
    next: () =>
      new Promise<void>((resolve) => {
        come = resolve;
        setImmediate(resolve);
      }),
    forceProgress: (): void => {
      disk.syncNow();
      come();
    },
  };
};

type Queue = ReturnType<typeof createQueue>;
type Runs = Pick<ReturnType<typeof createGroupTransaction>, 'run'>;

const runWaiting = async (queue: Queue, { run }: Runs, group: Group): Promise<void> => {
  queue.moveInto(group);
  await run(group);
  if (!isLong(group)) return;
  // Those who came while it ran need no sync of their own.
  queue.moveInto(group);
  await run(group);
};

const waitOf = (transaction: Transaction | undefined, now: number): number =>
  transaction ? now - transaction.queuedAt : 0;

/**
 * Commits transactions together: one sync for all. They run one after another, and each is answered only after the sync.
 * While the disk syncs one group, the bodies of the next run in a transaction that stays open until the disk is free.
 */
export const createGroupCommit = (deps: Deps, elapsed = () => performance.now()) => {
  const { connection, bodies, disk, noteSync, stopwatch = elapsed } = deps;
  const queue = createQueue(elapsed);
  const turns = createTurns(disk);
  const syncs = createSyncs({ disk, elapsed, unanswered: queue.unanswered, ended: queue.wake, noteSync });
  const transaction = createGroupTransaction({ connection, bodies, elapsed: stopwatch, whileWaiting: syncs.answer });
  let running: Promise<void> | undefined;
  /** Those whose transaction is open. */
  let current = noGroup();

  /** Runs whoever comes, until the disk is free and nobody else is waited for. */
  const runGroup = async (): Promise<void> => {
    for (; ; await turns.next()) {
      await runWaiting(queue, transaction, current);
      if (syncs.isUnderway()) await queue.arrival();
      if (syncs.isUnderway()) continue;
      if (isLong(current) || !syncs.paysToWait(current.transactions.length)) return;
      syncs.answer();
    }
  };

  /** Runs a group to its commit. Everyone of it is told if nothing of it is on disk. */
  const commitGroup = async (): Promise<void> => {
    try {
      await transaction.begin();
      await runGroup();
      const isCommitted = transaction.end(current);
      const group = current;
      current = noGroup();
      // The disk is busy again before anyone is answered.
      if (isCommitted) void syncs.start(group);
      syncs.answer();
      if (!isCommitted) settle(group);
    } catch (error) {
      transaction.rollBack();
      // Those whose bodies went well must hear of it too, and all who wait if none could begin.
      if (current.transactions.length === 0) queue.moveInto(current);
      settle(failed(current, error));
      current = noGroup();
      syncs.answer();
    }
  };

  const drain = async (): Promise<void> => {
    while (!queue.isEmpty() || syncs.isUnderway()) {
      if (queue.isEmpty() || (syncs.isUnderway() && disk.needsRest())) {
        await queue.arrival();
        syncs.answer();
        continue;
      }
      await turns.next();
      syncs.answer();
      if (!syncs.isUnderway() && disk.needsRest()) await disk.rest();
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

    /** For a body that takes long: others are served and answered before it goes on. */
    pause: () => turns.next().then(syncs.answer),
    /** For whoever is held up by an event loop that does not come round: does the next step now, and waits for the disk. */
    forceProgress: turns.forceProgress,
    /** How many transactions are queued, running or synced. */
    waiting: queue.unanswered,
    /** How long the first of them has waited. */
    waitedMs: () => waitOf(syncs.first() ?? current.transactions[0] ?? queue.first(), elapsed()),

    /** Resolves when nothing is queued, running or synced. */
    idle: async (): Promise<void> => running,
  };
};
