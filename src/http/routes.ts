import { type Contract, MAX_BATCHES, METHODS } from '../kernel/contract.ts';
import type { Answer, Call, Once, RunRequest } from '../kernel/operation.ts';
import type { MaybePromise } from '../kernel/runtime.ts';
import { createBatchReader } from './input/read-batch.ts';
import { compileInput } from './input/read-input.ts';
import { createBatchSlots, createTimeSlices } from './overload/batch-slots.ts';
import { createEncoders } from './reply.ts';
import type { ReplyCache } from './reply-cache.ts';

type FindReplay = (call: Call, once: Once) => MaybePromise<Answer | undefined>;

type Caches = { replies?: ReplyCache | undefined; findReplay?: FindReplay };

export const createOperationHandler = (contract: Contract, run: RunRequest, { replies, findReplay }: Caches = {}) => {
  const reader = createBatchReader(contract);
  const { deprecation } = contract;
  return {
    contract,
    input: compileInput(contract),
    run,
    findReplay,
    batch: reader && { reader, slots: createBatchSlots(MAX_BATCHES), slicesOf: createTimeSlices() },
    replies: contract.repeatable && replies,
    deprecation: deprecation && {
      since: `@${deprecation.since.getTime() / 1000}`,
      sunset: deprecation.sunset.toUTCString(),
      successor: deprecation.successor,
    },
    encoders: createEncoders(),
  };
};

export type OperationHandler = ReturnType<typeof createOperationHandler>;
export type Batches = NonNullable<OperationHandler['batch']>;
export type DeprecationHeaders = NonNullable<OperationHandler['deprecation']>;

export type Route = { methods: ReadonlyMap<string, OperationHandler>; allow: string };

const ORDER = [...METHODS.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];

export const serverPath = ({ path }: Contract): string => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

export const createRoutes = (operations: readonly OperationHandler[]): Map<string, Route> => {
  const byPath = Map.groupBy(operations, ({ contract }) => serverPath(contract));
  return new Map(
    [...byPath].map(([path, mounted]) => {
      const methods = new Map(mounted.map((operation) => [operation.contract.method as string, operation]));
      const get = methods.get('GET');
      if (get) methods.set('HEAD', get);
      const allow = ORDER.filter((method) => methods.has(method) || method === 'OPTIONS').join(', ');
      return [path, { methods, allow }];
    }),
  );
};

/** Preflight responses for unknown paths allow all methods. Otherwise, browsers would hide the 404 from the page. */
export const ALL_METHODS = ORDER.join(', ');
