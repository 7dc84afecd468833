import { type MaybePromise, tryTo } from '../../kernel/runtime.ts';
import type { KeyIndex, Sql, SqlValue } from '../sql.ts';
import { type SqliteConnection, sqlOn } from './connection.ts';
import { createCounters } from './counters.ts';
import type { Snapshot } from './snapshot.ts';
import { faultOf } from './space.ts';
import type { Health } from './sync.ts';

type Effect = () => void;
export type Body<Result> = (effects: ReadonlySet<Effect>) => MaybePromise<Result>;

export type QueuedWrite = {
  body: Body<unknown>;
  queuedAt: number;
  outcome: { value: unknown } | { error: unknown } | undefined;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};

export type Group = { transactions: QueuedWrite[]; isLong: boolean; ran: number; succeeded: number };

export type Deps = {
  writer: Pick<SqliteConnection, 'one' | 'all' | 'run' | 'inTransaction' | 'isBusy'>;
  file: string;
  health: Pick<Health, 'failure' | 'fail'>;
  keyIndex: KeyIndex;
  snapshot: Pick<Snapshot, 'hold' | 'release'>;
  elapsed(): number;
  whileWaiting(): void;
  pause: Sql['pause'];
};

const PATIENCE_MS = 1000;
const RETRY_MS = 20;

export type GroupTransaction = ReturnType<typeof createGroupTransaction>;

/**
 * A body is the code of one transaction. Bodies first run without savepoints, because a savepoint costs as much as an
 * average body. If a body fails after a write, the whole group runs again with savepoints. Bodies that run after a long
 * body always get a savepoint, so that the long body never runs twice.
 */
export const createGroupTransaction = (deps: Deps) => {
  const { writer, pause, keyIndex } = deps;
  const write = (text: string, values: readonly SqlValue[]): void => {
    transaction.hasWritten = true;
    writer.run(text, values);
  };
  const noteStatement = (text: string): void => {
    transaction.hasWritten ||= !text.startsWith('SELECT');
  };
  const afterCommit = (effect: Effect): void => void transaction.effects.add(effect);
  const counters = createCounters({ one: writer.one, run: write });
  const transaction = {
    deps,
    counters,
    sql: sqlOn(writer, noteStatement, { ...counters, isReadOnly: false, keyIndex, run: write, pause, afterCommit }),
    usesSavepoints: false,
    hasWritten: false,
    effects: new Set<Effect>(),
  };
  return transaction;
};

export const begin = async (transaction: GroupTransaction): Promise<void> => {
  const { writer, health, elapsed, whileWaiting } = transaction.deps;
  transaction.usesSavepoints = false;
  const deadline = elapsed() + PATIENCE_MS;
  for (;;) {
    if (health.failure) throw health.failure;
    try {
      writer.run('BEGIN IMMEDIATE');
      return transaction.counters.beginGroup();
    } catch (error) {
      if (!writer.isBusy(error) || elapsed() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      whileWaiting();
    }
  }
};

const undo = async (transaction: GroupTransaction, { succeeded }: Group, error: unknown): Promise<boolean> => {
  const { writer } = transaction.deps;
  if (!writer.inTransaction()) throw error;
  if (transaction.usesSavepoints) {
    writer.run('ROLLBACK TO one');
    writer.run('RELEASE one');
  } else if (transaction.hasWritten) {
    writer.run('ROLLBACK');
    await begin(transaction);
    transaction.usesSavepoints = succeeded > 0;
    if (succeeded > 0) return false;
  }
  transaction.counters.undoTransaction();
  return true;
};

export const runBodies = async (transaction: GroupTransaction, group: Group): Promise<void> => {
  const { writer } = transaction.deps;
  while (group.ran < group.transactions.length) {
    const running = group.transactions[group.ran] as QueuedWrite;
    transaction.usesSavepoints ||= group.isLong && group.ran > 0;
    transaction.hasWritten = false;
    transaction.effects = new Set();
    transaction.counters.beginTransaction();
    if (transaction.usesSavepoints) writer.run('SAVEPOINT one');
    try {
      const value = await running.body(transaction.effects);
      if (transaction.usesSavepoints) writer.run('RELEASE one');
      running.outcome = { value };
      group.succeeded += 1;
      group.ran += 1;
    } catch (error) {
      running.outcome = { error };
      if (await undo(transaction, group, error)) group.ran += 1;
      else [group.ran, group.succeeded] = [0, 0];
    }
  }
};

export const commit = ({ deps, counters }: GroupTransaction, { succeeded }: Group): boolean => {
  const { writer, file, health, snapshot } = deps;
  // After a failed sync, this group may have read data that is not on disk, so no response may rely on that data.
  if (health.failure) throw health.failure;
  if (succeeded === 0) {
    writer.run('ROLLBACK');
    return false;
  }
  snapshot.hold();
  try {
    // After a rollback by SQLite itself, writing the counters would commit only the counters. COMMIT must fail instead.
    if (writer.inTransaction()) counters.writeCounters();
    writer.run('COMMIT');
    counters.committed();
    return true;
  } catch (error) {
    // COMMIT can fail with a sync error, because SQLite itself syncs the first page of a WAL.
    if (faultOf(error, file) === 'unsynced') throw health.fail(error);
    snapshot.release();
    throw error;
  }
};

export const rollBack = ({ deps: { writer } }: GroupTransaction): void => {
  // Even if the rollback fails, nothing is committed. The caller reports the original error.
  tryTo(() => writer.inTransaction() && writer.run('ROLLBACK'));
};
