import { createInFlight } from '../idempotency/in-flight.ts';
import { type Once, runOnce } from '../idempotency/run-once.ts';
import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Answer, Call, Operation } from '../kernel/operation.ts';
import type { Database } from '../storage/database.ts';
import type { Reads, Repositories } from './repositories.ts';

/** `signal` cancels the request; `once` makes it idempotent. */
type RunOptions = { signal: AbortSignal | undefined; once: Once | undefined };

/** The body of a transaction. Tasks that name the same row run one after another. */
type WriteTask = {
  signal: AbortSignal | undefined;
  row: string | undefined;
  isLong: boolean;
  run(repositories: Repositories): Promise<Answer>;
};

type Ids = Record<string, unknown>;

/** Names the row that a request locks, the same for all operations on it. */
const nameRow = ({ path, row = /\{(\w+)\}/.exec(path)?.[1] }: Contract) => {
  if (row === undefined) return () => undefined;
  return (input: unknown): string => {
    const { path, body } = input as { path: Ids; body?: Ids };
    return `${row} ${path[row] ?? body?.[row] ?? ''}`;
  };
};

/** Runs inside the transaction before its body; throws to refuse it. */
type Guard = (repositories: Repositories, call: Call) => Promise<void>;

/** Runs operations: reads on committed data, writes inside one transaction. */
export const createRunOperation = <Deps>(
  database: Database<Reads, Repositories>,
  deps: Deps,
  guardOf: (contract: Contract) => Guard | undefined = () => undefined,
) => {
  const inFlight = createInFlight();

  const write = (call: Call, { signal, row, isLong, run }: WriteTask) => {
    const body = async (repositories: Repositories) => {
      // A request that the server has refused or cut off gets no answer, so it must store nothing.
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
    // Only the service itself acts without a key, and it never repeats a request.
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
