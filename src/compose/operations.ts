import type { Config } from '../config.ts';
import { contractsIn, OPERATIONS } from '../contract.ts';
import type { OpenStreams } from '../events/open-streams.ts';
import type { StreamQueue } from '../events/stream-queue.ts';
import type { RandomBytes, RandomText } from '../kernel/random-id.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { UsageCounter } from '../usage/counter.ts';
import type { Backend } from './backend.ts';
import { createRunOperation } from './run-operation.ts';

type Parts = Pick<Backend, 'database' | 'clock' | 'arrivals' | 'keyChanges'> & {
  config: Config;
  randomText: RandomText;
  randomBytes: RandomBytes;
  limiter: Limiter;
  counter: UsageCounter;
  onStop(listener: () => void): () => void;
  stopwatch(): number;
  streamQueue: StreamQueue;
  openStreams: OpenStreams;
};

/** Everything that can be asked for in this environment, and how it is run. */
export const createOperations = ({ config, database, ...parts }: Parts) => {
  const environment = config.PETSTORE_ENVIRONMENT;
  const contracts = contractsIn(environment);
  // What operations use beside repositories. One that names more than there is does not compile.
  const runOperation = createRunOperation(database, {
    ...parts,
    environment,
    contracts,
    orderHoldMs: config.PETSTORE_ORDER_HOLD_SECONDS * 1000,
    allowPrivate: config.PETSTORE_WEBHOOK_ALLOW_PRIVATE,
  });
  return OPERATIONS.filter(({ contract }) => contracts.includes(contract)).map((operation) => ({
    contract: operation.contract,
    run: runOperation(operation),
  }));
};
