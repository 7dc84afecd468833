import type { Checkpoints } from './checkpoints.ts';
import {
  type Body,
  begin,
  commit,
  createGroupTransaction,
  type Group,
  type QueuedWrite,
  rollBack,
  runBodies,
  type Deps as TransactionDeps,
} from './group-transaction.ts';
import type { Snapshot } from './snapshot.ts';
import type { Wal } from './sync.ts';

type Observed = { observe(value: number): void };
export type SyncMetrics = { transactions: Observed; seconds: Observed };

type Deps = Pick<TransactionDeps, 'writer' | 'file' | 'health' | 'keyIndex'> & {
  snapshot: Pick<Snapshot, 'hold' | 'release' | 'end'>;
  wal: Pick<Wal, 'sync' | 'syncNow'>;
  checkpoints: Pick<Checkpoints, 'noteCommit' | 'needsFinish' | 'finish'>;
  metrics?: SyncMetrics | undefined;
  stopwatch?: (() => number) | undefined;
};

/** Readers wait while a group runs, so groups larger than this would cost more than they save. @internal */
export const LARGEST_GROUP = 256;

/** @internal */
export type CommitState = ReturnType<typeof newCommitState>;

/** @internal */
export const newCommitState = (deps: Deps, elapsed: () => number) => {
  const whileWaiting = (): void => settleEnded(groups);
  const pause = (): Promise<void> => nextTurn(groups).then(whileWaiting);
  const groups = {
    deps,
    elapsed,
    transaction: createGroupTransaction({ ...deps, elapsed: deps.stopwatch ?? elapsed, whileWaiting, pause }),
    short: [] as QueuedWrite[],
    long: [] as QueuedWrite[],
    isTurnOfLong: true,
    open: undefined as Group | undefined,
    syncing: undefined as Group | undefined,
    ended: [] as Group[],
    pending: 0,
    commits: 0,
    freeAt: 0,
    syncMs: Number.POSITIVE_INFINITY,
    /** An estimate of the number of writers: how many transactions were waiting when the last sync completed. */
    writers: 0,
    /** The number of transactions in the last synced group. */
    answered: 0,
    hasWaited: false,
    /** An estimate of how long the writers of a synced group take to send their next writes. */
    returnMs: 0,
    running: undefined as Promise<void> | undefined,
    wake: (): void => undefined,
    endTurn: (): void => undefined,
  };
  return groups;
};

/** A group has at most one long transaction, so that a short transaction never waits for two long ones. @internal */
export const fillGroup = (groups: CommitState, group: Group): void => {
  const { transactions } = group;
  const { short, long } = groups;
  const isNew = transactions.length === 0;
  if (isNew && long.length > 0 && (groups.isTurnOfLong || short.length === 0)) {
    groups.isTurnOfLong = false;
    group.isLong = true;
    transactions.push(...long.splice(0, 1));
    return;
  }
  if (isNew) groups.isTurnOfLong = true;
  transactions.push(...short.splice(0, LARGEST_GROUP - transactions.length));
};

/**
 * A group may wait for more writers, but for at most half the duration of a sync. Waiting pays off only if all writers
 * can send their next write during one sync. @internal
 */
export const shouldWait = ({ writers, returnMs, syncMs, freeAt, elapsed }: CommitState, count: number): boolean =>
  count < Math.min(writers, LARGEST_GROUP) && returnMs < syncMs && elapsed() - freeAt < syncMs / 2;

/** @internal */
export const settleEnded = (groups: CommitState): void => {
  for (const { transactions } of groups.ended) {
    groups.pending -= transactions.length;
    for (const { outcome, resolve, reject } of transactions) {
      if (outcome && 'value' in outcome) resolve(outcome.value);
      else reject(outcome?.error);
    }
  }
  groups.ended.length = 0;
};

const markFailed = ({ ended }: CommitState, group: Group, error: unknown): void => {
  for (const transaction of group.transactions) transaction.outcome = { error };
  ended.push(group);
};

const nextChange = (groups: CommitState): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  groups.wake = resolve;
  return promise;
};

const nextTurn = (groups: CommitState): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  groups.endTurn = resolve;
  setImmediate(resolve);
  return promise;
};

/** @internal */
export const sync = async (groups: CommitState, group: Group): Promise<void> => {
  const { wal, checkpoints, snapshot, metrics } = groups.deps;
  const beganAt = groups.elapsed();
  const returned = (group.transactions.length - (groups.writers - groups.answered)) / groups.answered;
  // The writers of a single group may be unusually slow, so a single group raises the estimate by at most half. While
  // the estimate exceeds the duration of a sync, groups do not wait. Each group that does not wait lowers the estimate
  // by two percent, so groups start to wait again after about 20 groups.
  groups.returnMs = groups.hasWaited
    ? Math.min((beganAt - groups.freeAt) / Math.max(returned, 0), Math.max(groups.returnMs, groups.syncMs / 2) * 1.5)
    : groups.returnMs * 0.98;
  groups.hasWaited = false;
  groups.syncing = group;
  try {
    checkpoints.noteCommit();
    // If the sync fails, `release` is not called, so readers keep seeing the last state that is known to be on disk.
    await wal.sync();
    groups.commits += 1;
    snapshot.release();
    metrics?.transactions.observe(group.transactions.length);
    metrics?.seconds.observe((groups.elapsed() - beganAt) / 1000);
    groups.ended.push(group);
  } catch (error) {
    markFailed(groups, group, error);
  }
  groups.syncing = undefined;
  groups.freeAt = groups.elapsed();
  // The event loop may notice late that a sync has ended, so the shortest recent duration is the best estimate.
  groups.syncMs = Math.min(groups.freeAt - beganAt, groups.syncMs * 1.02 + 0.01);
  groups.writers = groups.pending;
  groups.answered = group.transactions.length;
  groups.wake();
};

const runGroup = async (groups: CommitState): Promise<void> => {
  const { transaction, ended, short, long, deps } = groups;
  const group: Group = { transactions: [], isLong: false, ran: 0, succeeded: 0 };
  groups.open = group;
  try {
    if (!groups.syncing && deps.checkpoints.needsFinish && !deps.health.failure) {
      await deps.checkpoints.finish();
      // Ends the read transaction, because SQLite cannot reuse the WAL while an older read transaction is open.
      deps.snapshot.end();
    }
    await begin(transaction);
    for (; ; await nextTurn(groups)) {
      fillGroup(groups, group);
      await runBodies(transaction, group);
      if (group.isLong) {
        // Transactions that arrived while the long transaction was running join its group, so that they share its sync.
        fillGroup(groups, group);
        await runBodies(transaction, group);
      }
      if (groups.syncing) await nextChange(groups);
      if (groups.syncing) continue;
      if (group.isLong || !shouldWait(groups, group.transactions.length)) break;
      groups.hasWaited = true;
      settleEnded(groups);
    }
    if (commit(transaction, group)) void sync(groups, group);
    else ended.push(group);
  } catch (error) {
    rollBack(transaction);
    // If the group could not begin, it has already waited a full second for the lock. The queued transactions also fail, so
    // that they do not wait another second.
    if (group.transactions.length === 0) group.transactions.push(...short.splice(0), ...long.splice(0));
    markFailed(groups, group, error);
  }
  groups.open = undefined;
  settleEnded(groups);
};

const runGroups = async (groups: CommitState): Promise<void> => {
  const { short, long, deps } = groups;
  for (;;) {
    const isEmpty = short.length === 0 && long.length === 0;
    if (isEmpty && !groups.syncing) break;
    if (isEmpty || (groups.syncing && deps.checkpoints.needsFinish)) {
      await nextChange(groups);
      settleEnded(groups);
      continue;
    }
    await nextTurn(groups);
    settleEnded(groups);
    await runGroup(groups);
  }
  settleEnded(groups);
  // There has been no `await` since the queues were found to be empty, so no transaction can be waiting.
  groups.running = undefined;
};

/**
 * Commits transactions in groups, because a whole group needs only one sync. While one group is being synced, the next
 * group is already running, and it accepts transactions until the sync completes.
 */
export const createGroupCommit = (deps: Deps, elapsed = performance.now.bind(performance)) => {
  const groups = newCommitState(deps, elapsed);
  return {
    sql: groups.transaction.sql,

    run<Result>(body: Body<Result>, isLong = false): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const settle = { resolve: resolve as QueuedWrite['resolve'], reject };
      (isLong ? groups.long : groups.short).push({ body, queuedAt: elapsed(), outcome: undefined, ...settle });
      groups.pending += 1;
      groups.wake();
      groups.running ??= runGroups(groups);
      return promise;
    },

    forceProgress: (): void => {
      deps.wal.syncNow();
      groups.endTurn();
    },
    commits: () => groups.commits,
    backlog: groups as { readonly pending: number },
    waitedMs: (): number => {
      const { ended, syncing, open, short, long } = groups;
      const first = (ended[0] ?? syncing ?? open)?.transactions[0] ?? short[0] ?? long[0];
      return first ? elapsed() - first.queuedAt : 0;
    },
    idle: async (): Promise<void> => groups.running,
  };
};
