import type { MaybePromise } from '../../kernel/maybe-promise.ts';

/** What a group of transactions needs of its connection. */
export type TransactionControl = {
  begin(): void;
  commit(): void;
  rollback(): void;
  savepoint(): void;
  release(): void;
  rollbackToSavepoint(): void;
  /** Throws after a failed sync. */
  mustWork(): void;
  /** False once the engine has rolled back by itself, as SQLite does when the disk is full. */
  inTransaction(): boolean;
  /** Whether another program holds the file. */
  isBusy(error: unknown): boolean;
};

/** In-memory state of the body that runs. */
export type BodyState = {
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
/** Transactions that have run have an outcome, in the same order. */
export type Group = { transactions: Transaction[]; outcomes: Outcome[] };

/** Whether the first of a group is long; none of the others is. */
export const isLong = ({ transactions: [first] }: Group): boolean => first?.isLong === true;

type Deps = {
  connection: TransactionControl;
  bodies: BodyState;
  elapsed(): number;
  /** Called after each wait for another program that holds the file. */
  whileWaiting(): void;
};

const PATIENCE_MS = 1000;
const RETRY_MS = 20;

/**
 * Runs the bodies of a group in one transaction, one after another. A savepoint costs as much as the writes of an average
 * body. So there is none until a body fails that has written something: then the group is rolled back and runs again,
 * each body in a savepoint. After a long body, each has a savepoint from the start.
 */
export const createGroupTransaction = ({ connection, bodies, elapsed, whileWaiting }: Deps) => {
  /** Whether the bodies of the open transaction run in savepoints. */
  let usesSavepoints = false;

  /** Retries while another program holds the file. The event loop runs meanwhile. */
  const begin = async (): Promise<void> => {
    usesSavepoints = false;
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

  /** Undefined if the whole group must run again. */
  const runOne = async (body: Transaction['body'], before: readonly Outcome[]): Promise<Outcome | undefined> => {
    bodies.begin();
    if (usesSavepoints) connection.savepoint();
    try {
      const value = await body();
      if (usesSavepoints) connection.release();
      return { value };
    } catch (error) {
      if (!connection.inTransaction()) throw error;
      if (usesSavepoints) connection.rollbackToSavepoint();
      else if (bodies.hasWritten()) {
        connection.rollback();
        await begin();
        usesSavepoints = before.some((outcome) => 'value' in outcome);
        if (usesSavepoints) return undefined;
      }
      bodies.undo();
      return { error };
    }
  };

  return {
    begin,

    /** Runs the transactions without an outcome. */
    async run(group: Group): Promise<void> {
      const { transactions, outcomes } = group;
      while (outcomes.length < transactions.length) {
        usesSavepoints ||= isLong(group) && outcomes.length > 0;
        const { body } = transactions[outcomes.length] as Transaction;
        const outcome = await runOne(body, outcomes);
        if (outcome) outcomes.push(outcome);
        else outcomes.length = 0;
      }
    },

    /** False if all have failed, so that nothing was committed. */
    end({ outcomes }: Group): boolean {
      // A refusal, too, relies on what the group before has committed.
      connection.mustWork();
      const isUndone = outcomes.every((outcome) => 'error' in outcome);
      // Fails if the engine has rolled back although no body failed.
      if (isUndone) connection.rollback();
      else connection.commit();
      return !isUndone;
    },

    rollBack(): void {
      try {
        if (connection.inTransaction()) connection.rollback();
      } catch {
        // Nothing is committed either way; the first failure is the one to report.
      }
    },
  };
};
