import type { Config } from '../config.ts';
import { contractsIn, OPERATIONS } from '../contract.ts';
import type { Portion } from '../events/stream.ts';
import { createStreamQueue } from '../events/stream-queue.ts';
import type { Operation } from '../kernel/operation.ts';
import type { RandomBytes, RandomText } from '../kernel/random-id.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { UsageCounter } from '../usage/counter.ts';
import type { Backend } from './backend.ts';
import type { Reads, Repositories } from './repositories.ts';

type Parts = Pick<Backend, 'clock' | 'arrivals' | 'keyChanges'> & {
  config: Config;
  randomText: RandomText;
  randomBytes: RandomBytes;
  limiter: Limiter;
  counter: UsageCounter;
  onStop(listener: () => void): () => void;
};

/** What operations use beside repositories. */
export const createOperationDeps = ({ config, ...parts }: Parts) => ({
  ...parts,
  environment: config.PETSTORE_ENVIRONMENT,
  contracts: contractsIn(config.PETSTORE_ENVIRONMENT),
  orderHoldMs: config.PETSTORE_ORDER_HOLD_SECONDS * 1000,
  allowPrivate: config.PETSTORE_WEBHOOK_ALLOW_PRIVATE,
  streamQueue: createStreamQueue<Portion>(),
});

export type OperationDeps = ReturnType<typeof createOperationDeps>;

/** The operations behind these contracts. One that names a repository or a dependency that is not there does not compile. */
export const operationsOf = (contracts: OperationDeps['contracts']) => {
  const operations: readonly Operation<Reads, Repositories, OperationDeps>[] = OPERATIONS;
  return operations.filter(({ contract }) => contracts.includes(contract));
};
