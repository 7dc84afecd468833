import type { Reads, Stores } from './bind-stores.ts';
import type { Database } from './database/database.ts';
import { type Once, performOnce } from './idempotency/perform-once.ts';
import { createTurns } from './idempotency/turns.ts';
import { Failure } from './kernel/failure.ts';
import type { Answer, Call, Operation } from './kernel/operation.ts';
import type { Soon } from './kernel/soon.ts';

type Request = { signal: AbortSignal | undefined; once: Once | undefined };

/** How any operation is run: a reading one on what is committed, a writing one inside one transaction. */
export const createPerform = (database: Database<Reads, Stores>) => {
  const turns = createTurns();

  const write = (call: Call, signal: Request['signal'], run: (stores: Stores) => Promise<Answer>) =>
    database.write(call, async (stores) => {
      // What the server has refused or cut off by now, it will not answer: nothing of it may be stored.
      const refuseEnded = () => {
        if (signal?.aborted) throw new Failure('invalid_request', 'The request ended early.');
      };
      refuseEnded();
      const answer = await run(stores);
      refuseEnded();
      return answer;
    });

  const writeOnce = (call: Call, signal: Request['signal'], once: Once, run: (stores: Stores) => Promise<Answer>) => {
    // Only the service itself acts without a key, and it never asks twice.
    const caller = call.keyId ?? '';
    return turns.take(`${caller} ${once.key}`, (begin) =>
      write(call, signal, (stores) =>
        performOnce(stores.idempotency, { caller, once, now: stores.now() }, () => {
          begin();
          return run(stores);
        }),
      ),
    );
  };

  return (operation: Operation<Reads, Stores>) =>
    (input: unknown, call: Call, { signal, once }: Request): Soon<Answer> => {
      if (operation.access === 'read') return operation.run(database.read(call.storeId), input, call);
      const run = (stores: Stores) => operation.run(stores, input, call);
      return once ? writeOnce(call, signal, once, run) : write(call, signal, run);
    };
};
