import { createInFlight } from '../idempotency/in-flight.ts';
import { type Once, runOnce } from '../idempotency/run-once.ts';
import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Answer, Call, Operation } from '../kernel/operation.ts';
import type { Database } from '../storage/database.ts';
import type { Reads, Repositories } from './repositories.ts';

/** How a request is to be run: given up when `signal` says so, and not twice where `once` is set. */
type RunOptions = { signal: AbortSignal | undefined; once: Once | undefined };

/** The body of a transaction. Those that name the same row wait for one another. */
type WriteTask = {
  signal: AbortSignal | undefined;
  row: string | undefined;
  isLong: boolean;
  run(repositories: Repositories): Promise<Answer>;
};

type Ids = Record<string, unknown>;

/** One name for all who want one row of a store, whatever they want of it. */
const nameRow = ({ path, row = /\{(\w+)\}/.exec(path)?.[1] }: Contract) => {
  if (row === undefined) return () => undefined;
  return (input: unknown): string => {
    const { path, body } = input as { path: Ids; body?: Ids };
    return `${row} ${path[row] ?? body?.[row] ?? ''}`;
  };
};

/** Asked inside the transaction before anything is done in it; throws what refuses it. */
type Guard = (repositories: Repositories, call: Call) => Promise<void>;

/** How any operation is run: a reading one on what is committed, a writing one inside one transaction. */
export const createRunOperation = <Deps>(
  database: Database<Reads, Repositories>,
  deps: Deps,
  guardOf: (contract: Contract) => Guard | undefined = () => undefined,
) => {
  const inFlight = createInFlight();

  const write = (call: Call, { signal, row, isLong, run }: WriteTask) => {
    const body = async (repositories: Repositories) => {
      // What the server has refused or cut off by now, it will not answer: nothing of it may be stored.
      const refuseEnded = () => {
        if (signal?.aborted) throw new Failure('invalid_request', 'The request ended early.');
      };
      refuseEnded();
      const answer = await run(repositories);
      refuseEnded();
      return answer;
    };
    return database.write(call, body, row, isLong);
  };

  const writeOnce = (call: Call, once: Once, { run, ...task }: WriteTask) => {
    // Only the service itself acts without a key, and it never asks twice.
    const caller = call.keyId ?? '';
    return inFlight.run(`${caller} ${once.key}`, (begin) =>
      write(call, {
        ...task,
        run: (repositories) =>
          runOnce(repositories.idempotency, { caller, once }, () => {
            begin();
            return run(repositories);
          }),
      }),
    );
  };

  const runOperation = (operation: Operation<Reads, Repositories, Deps>) => {
    const rowOf = nameRow(operation.contract);
    const guard = guardOf(operation.contract);
    const isLong = operation.contract.batchOf !== undefined;
    return (input: unknown, call: Call, { signal, once }: RunOptions): MaybePromise<Answer> => {
      if (operation.access === 'read') return operation.run(database.read(call.storeId), input, call, deps);
      const { run: runIn, afterCommit } = operation;
      const run = (repositories: Repositories): Promise<Answer> =>
        guard
          ? guard(repositories, call).then(() => runIn(repositories, input, call, deps))
          : runIn(repositories, input, call, deps);
      const task: WriteTask = { signal, row: rowOf(input), isLong, run };
      const answered = once ? writeOnce(call, once, task) : write(call, task);
      return afterCommit ? answered.then((answer) => afterCommit(call, deps, input).then(() => answer)) : answered;
    };
  };
  return runOperation;
};
