import { createInFlight, runOnce } from '../idempotency/run-once.ts';
import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Answer, Call, Operation, RunRequest } from '../kernel/operation.ts';
import type { Database } from '../storage/database.ts';
import type { Reads, Repositories } from './repositories.ts';

type Ids = Record<string, unknown>;

const rowParameterOf = ({ path, row = /\{(\w+)\}/.exec(path)?.[1] }: Contract) => row;

/** Returns a name for the row to lock. Operations that lock the same row must get the same name. */
const nameRow = (parameter: string, input: unknown): string => {
  const { path, body } = input as { path: Ids; body?: Ids };
  return `${parameter} ${path[parameter] ?? body?.[parameter] ?? ''}`;
};

const endedEarly = () => new Failure('invalid_request', 'The connection closed before the request was complete.');

type Guard = (repositories: Repositories, call: Call) => Promise<void>;
type Run<Deps> = Extract<Operation<Reads, Repositories, Deps>, { access: 'write' }>['run'];

const withGuard = <Deps>(guard: Guard | undefined, run: Run<Deps>): Run<Deps> => {
  if (!guard) return run;
  return async (repositories, input, call, deps) => {
    await guard(repositories, call);
    return run(repositories, input, call, deps);
  };
};

export const createRunOperation = <Deps>(
  database: Database<Reads, Repositories>,
  deps: Deps,
  guardOf: (contract: Contract) => Guard | undefined = () => undefined,
) => {
  const runInFlight = createInFlight();

  return (operation: Operation<Reads, Repositories, Deps>): RunRequest => {
    const { readLagging } = database;
    if (operation.access === 'read')
      return readLagging && operation.contract.mayLag
        ? (input, call) => operation.run(readLagging(call), input, call, deps)
        : (input, call) => operation.run(database.read(call.storeId), input, call, deps);
    const { contract, beforeAnswer } = operation;
    const run = withGuard(guardOf(contract), operation.run);
    const parameter = rowParameterOf(contract);
    const isLong = contract.batchOf !== undefined;

    return (input, call, { signal, once }) => {
      const row = parameter && nameRow(parameter, input);
      // Calls by the service itself have no API key, and they never use an idempotency key.
      const caller = call.keyId ?? '';

      /** `begin` runs before new work starts, but does not run if a stored answer is replayed. */
      const body = async (repositories: Repositories, begin?: () => void): Promise<Answer> => {
        // A cancelled request gets no response, so it must not change anything.
        if (signal?.aborted) throw endedEarly();
        const answer = once
          ? await runOnce(repositories.idempotency, { caller, once }, () => {
              begin?.();
              return run(repositories, input, call, deps);
            })
          : await run(repositories, input, call, deps);
        if (signal?.aborted) throw endedEarly();
        return answer;
      };

      const answered = once
        ? runInFlight(`${caller} ${once.key}`, async (begin) => {
            await database.keysLoaded;
            return database.write(call, (repositories) => body(repositories, begin), row, isLong);
          })
        : database.write(call, body, row, isLong);
      return beforeAnswer ? answered.then((answer) => beforeAnswer(call, deps, input).then(() => answer)) : answered;
    };
  };
};
