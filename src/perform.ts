import type { Reads, Stores } from './bind-stores.ts';
import type { Database } from './database/database.ts';
import { type Once, performOnce } from './idempotency/perform-once.ts';
import { createTurns } from './idempotency/turns.ts';
import type { Contract } from './kernel/contract.ts';
import { Failure } from './kernel/failure.ts';
import type { Answer, Call, Operation } from './kernel/operation.ts';
import type { Soon } from './kernel/soon.ts';

/** What is to be written, and whose turn it has to wait for. */
type Work = { signal: AbortSignal | undefined; row: string | undefined; run(stores: Stores): Promise<Answer> };

type Request = { signal: AbortSignal | undefined; once: Once | undefined };

type Ids = Record<string, unknown>;

/** One name for all who want one row of a store, whatever they want of it. */
const nameRow = ({ path, row = /\{(\w+)\}/.exec(path)?.[1] }: Contract) => {
  if (row === undefined) return () => undefined;
  return (input: unknown): string => {
    const { path, body } = input as { path: Ids; body?: Ids };
    return `${row} ${path[row] ?? body?.[row] ?? ''}`;
  };
};

/** How any operation is run: a reading one on what is committed, a writing one inside one transaction. */
export const createPerform = (database: Database<Reads, Stores>) => {
  const turns = createTurns();

  const write = (call: Call, { signal, row, run }: Work) => {
    const body = async (stores: Stores) => {
      // What the server has refused or cut off by now, it will not answer: nothing of it may be stored.
      const refuseEnded = () => {
        if (signal?.aborted) throw new Failure('invalid_request', 'The request ended early.');
      };
      refuseEnded();
      const answer = await run(stores);
      refuseEnded();
      return answer;
    };
    return database.write(call, body, row);
  };

  const writeOnce = (call: Call, once: Once, { run, ...work }: Work) => {
    // Only the service itself acts without a key, and it never asks twice.
    const caller = call.keyId ?? '';
    return turns.take(`${caller} ${once.key}`, (begin) =>
      write(call, {
        ...work,
        run: (stores) =>
          performOnce(stores.idempotency, { caller, once, now: stores.now() }, () => {
            begin();
            return run(stores);
          }),
      }),
    );
  };

  return (operation: Operation<Reads, Stores>) => {
    const rowOf = nameRow(operation.contract);
    return (input: unknown, call: Call, { signal, once }: Request): Soon<Answer> => {
      if (operation.access === 'read') return operation.run(database.read(call.storeId), input, call);
      const run = (stores: Stores) => operation.run(stores, input, call);
      const work: Work = { signal, row: rowOf(input), run };
      return once ? writeOnce(call, once, work) : write(call, work);
    };
  };
};
