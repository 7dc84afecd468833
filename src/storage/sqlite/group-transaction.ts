import type { MaybePromise } from '../../kernel/maybe-promise.ts';

/** What a group of transactions needs of its connection. */
export type TransactionControl = {
  begin(): void;
  commit(): void;
  rollback(): void;
  savepoint(): void;
  release(): void;
  rollbackToSavepoint(): void;
  /** Throws once a sync has failed. */
  mustWork(): void;
  /** False once the engine has given up the whole transaction by itself, as SQLite does when the disk is full. */
  inTransaction(): boolean;
  /** Whether an error says that another program holds the file. */
  isBusy(error: unknown): boolean;
};

/** What is kept beside the connection for the body that runs now. */
export type Bodies = {
  begin(): void;
  undo(): void;
  /** Whether anything was written since `begin`. */
  hasWritten(): boolean;
};

export type Outcome = { value: unknown } | { error: unknown };
export type Transaction = {
  body: () => MaybePromise<unknown>;
  isLong: boolean;
  settle: (outcome: Outcome) => void;
  queuedAt: number;
};
/** Those that have run have an outcome, in the same order. */
export type Group = { transactions: Transaction[]; outcomes: Outcome[] };

/** Whether the first of a group takes long; none of the others does. */
export const isLong = ({ transactions: [first] }: Group): boolean => first?.isLong === true;

type Deps = {
  connection: TransactionControl;
  bodies: Bodies;
  elapsed(): number;
  /** Runs whenever another program has held up the file for a moment. */
  whileWaiting(): void;
};

const PATIENCE_MS = 1000;
const RETRY_MS = 20;

/**
 * Runs the bodies of a group in one transaction of the engine, one after another. A savepoint for each would cost as much
 * as all that an average one writes. So there is none, until one fails that has written something: then all of the group
 * are undone and run again, each in a savepoint. Behind one that takes long each has one from the start.
 */
export const createGroupTransaction = ({ connection, bodies, elapsed, whileWaiting }: Deps) => {
  /** Whether the bodies of the open transaction run in savepoints. */
  let isCareful = false;

  /** Another program may hold the file for a moment. The event loop goes on meanwhile. */
  const begin = async (): Promise<void> => {
    const deadline = elapsed() + PATIENCE_MS;
    for (;;) {
      try {
        return connection.begin();
      } catch (error) {
        if (!connection.isBusy(error) || elapsed() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        whileWaiting();
      }
    }
  };

  /** Undefined if it has failed and is to be run again, as all before it are. */
  const runOne = async (body: Transaction['body'], before: readonly Outcome[]): Promise<Outcome | undefined> => {
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
        isCareful = before.some((outcome) => 'value' in outcome);
        if (isCareful) return undefined;
      }
      bodies.undo();
      return { error };
    }
  };

  return {
    async begin(): Promise<void> {
      isCareful = false;
      await begin();
    },

    /** Runs those that have no outcome yet. */
    async run(group: Group): Promise<void> {
      const { transactions, outcomes } = group;
      while (outcomes.length < transactions.length) {
        isCareful ||= isLong(group) && outcomes.length > 0;
        const { body } = transactions[outcomes.length] as Transaction;
        const outcome = await runOne(body, outcomes);
        if (outcome) outcomes.push(outcome);
        else outcomes.length = 0;
      }
    },

    /** False if there was nothing to commit, because all have failed. */
    end({ outcomes }: Group): boolean {
      // A refusal rests on what the group before has committed, as much as an answer does.
      connection.mustWork();
      const isUndone = outcomes.every((outcome) => 'error' in outcome);
      // Fails if the engine has given up the transaction although every body went on.
      if (isUndone) connection.rollback();
      else connection.commit();
      return !isUndone;
    },

    rollBack(): void {
      try {
        if (connection.inTransaction()) connection.rollback();
      } catch {
        // Nothing is committed either way, and the group has to hear of the first failure.
      }
    },
  };
};
