import { type Contract, MAX_BATCHES } from '../kernel/contract.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Answer, Call } from '../kernel/operation.ts';
import { type BatchReader, createBatchReader } from './input/read-batch.ts';
import { compileInput, type InputSchema, type Once } from './input/read-input.ts';
import { createBatchSlots, createTimeSlices } from './overload/batch-slots.ts';
import { createEncoders } from './reply.ts';
import type { ReplyCache } from './reply-cache.ts';

type Run = (
  input: unknown,
  call: Call,
  request: { signal: AbortSignal | undefined; once: Once | undefined },
) => MaybePromise<Answer>;

type FindReplay = (call: Call, once: Once) => MaybePromise<Answer | undefined>;

export type Batches = {
  reader: BatchReader;
  slots: ReturnType<typeof createBatchSlots>;
  slicesOf: ReturnType<typeof createTimeSlices>;
};

export type DeprecationHeaders = { since: string; sunset: string; successor: string };

export type OperationHandler = {
  contract: Contract;
  input: InputSchema;
  run: Run;
  findReplay: FindReplay | undefined;
  batch: Batches | undefined;
  replies: ReplyCache | undefined;
  deprecation: DeprecationHeaders | undefined;
  encoders: ReturnType<typeof createEncoders>;
};

type Caches = { replies?: ReplyCache | undefined; findReplay?: FindReplay };

export const createOperationHandler = (
  contract: Contract,
  run: Run,
  { replies, findReplay }: Caches = {},
): OperationHandler => {
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
