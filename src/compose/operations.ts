import { categoryOperations } from '../categories/operations.ts';
import type { Config } from '../config.ts';
import { contractsIn } from '../contract.ts';
import { eventOperations } from '../events/operations.ts';
import type { StreamDeps } from '../events/stream-events.ts';
import type { Operation } from '../kernel/operation.ts';
import type { RandomBytes, RandomText } from '../kernel/random-id.ts';
import { keyOperations } from '../keys/operations.ts';
import type { Limiter } from '../limits/limiter.ts';
import { orderOperations } from '../orders/operations.ts';
import { petOperations } from '../pets/operations.ts';
import { sandboxOperations } from '../sandbox/operations.ts';
import { seedStore } from '../sandbox/seed-store.ts';
import type { UsageCounter } from '../usage/counter.ts';
import { usageOperations } from '../usage/operations.ts';
import { webhookOperations } from '../webhooks/operations.ts';
import type { Catalogue, Reads, Repositories } from './repositories.ts';

type Deps = StreamDeps & {
  config: Config;
  randomText: RandomText;
  randomBytes: RandomBytes;
  limiter: Limiter;
  counter: UsageCounter;
};

/** Everything that can be asked for in this environment. */
export const createOperations = ({ config, ...deps }: Deps): Operation<Reads, Repositories>[] => {
  const environment = config.PETSTORE_ENVIRONMENT;
  const contracts = contractsIn(environment);
  const operations: Operation<Reads, Repositories>[] = [
    ...petOperations,
    ...categoryOperations,
    ...orderOperations({ holdMs: config.PETSTORE_ORDER_HOLD_SECONDS * 1000 }),
    ...keyOperations({
      ...deps,
      environment,
      seedStore: environment === 'staging' ? seedStore : async (_catalogue: Catalogue) => undefined,
    }),
    ...usageOperations({ ...deps, contracts }),
    ...eventOperations(deps),
    ...webhookOperations({ ...deps, allowPrivate: config.PETSTORE_WEBHOOK_ALLOW_PRIVATE }),
    ...sandboxOperations,
  ];
  return operations.filter(({ contract }) => contracts.includes(contract));
};
