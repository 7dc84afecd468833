import type { Config } from '../config.ts';
import { contractsIn, OPERATIONS } from '../contracts.ts';
import { findReplay, type Once } from '../idempotency/run-once.ts';
import type { Call } from '../kernel/operation.ts';
import type { RandomBytes, RandomText } from '../kernel/random-id.ts';
import type { Bans, Limiter } from '../limits/limiter.ts';
import type { Resets } from '../resources/sandbox/finish-resets.ts';
import { MOST_SANDBOX_EVENTS, MOST_SANDBOX_PETS, sandboxGuard } from '../resources/sandbox/sandbox-guard.ts';
import type { UsageCounter } from '../resources/usage/counter.ts';
import type { Hub } from '../streaming/hub.ts';
import type { StreamQueue } from '../streaming/queue.ts';
import type { Backend } from './backend.ts';
import { createRunOperation } from './run-operation.ts';

type Parts = Pick<Backend, 'database' | 'clock' | 'arrivals' | 'keyChanges'> & {
  config: Config;
  randomText: RandomText;
  randomBytes: RandomBytes;
  limiter: Limiter & Bans;
  counter: UsageCounter;
  resets: Pick<Resets, 'finish'>;
  /** How many animals a sandbox may have, where it is not as many as usual. */
  mostPets?: number;
  /** Maximum events of a sandbox, if it differs from the default. */
  mostEvents?: number;
  onStop(listener: () => void): () => void;
  stopwatch(): number;
  streamQueue: StreamQueue;
  hub: Hub;
};

/** Everything that can be asked for in this environment, and how it is run. */
export const createOperations = ({ config, database, ...parts }: Parts) => {
  const environment = config.PETSTORE_ENVIRONMENT;
  const contracts = contractsIn(environment);
  const isStaging = environment === 'staging';
  // What operations use beside repositories. One that names more than there is does not compile.
  const deps = {
    ...parts,
    environment,
    contracts,
    orderHoldMs: config.PETSTORE_ORDER_HOLD_SECONDS * 1000,
    allowPrivate: config.PETSTORE_WEBHOOK_ALLOW_PRIVATE,
    rehearsedDate: config.PETSTORE_REHEARSE_DATE,
    mostPets: isStaging ? (parts.mostPets ?? MOST_SANDBOX_PETS) : undefined,
  };
  const runOperation = createRunOperation(database, deps, (contract) =>
    isStaging ? sandboxGuard(contract, parts.mostEvents ?? MOST_SANDBOX_EVENTS) : undefined,
  );
  return OPERATIONS.filter(({ contract }) => contracts.includes(contract)).map((operation) => ({
    contract: operation.contract,
    run: runOperation(operation),
    findReplay: ({ storeId, keyId }: Call, once: Once) => {
      const { idempotency } = database.read(storeId);
      return findReplay(idempotency, { caller: keyId ?? '', once });
    },
  }));
};
