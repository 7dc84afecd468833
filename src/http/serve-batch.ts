import type { Caller } from '../kernel/operation.ts';
import { callOf, type RequestContext } from './context.ts';
import { toReply } from './finish.ts';
import type { BatchReader, Located } from './input/read-batch.ts';
import { readBytes, readFields, readOnce } from './input/read-input.ts';
import type { Batches, OperationHandler } from './operation-handler.ts';
import type { TimeSlices } from './overload/batch-slots.ts';
import type { Reply } from './reply.ts';

type Pay = (more: number, total: number) => Promise<void>;
type Batch = { reader: BatchReader; pay: Pay; slices: TimeSlices };

const locatePaid = async ({ reader, pay, slices }: Batch, bytes: Uint8Array | undefined): Promise<Located> => {
  const located = await slices.finish(reader.locate(bytes));
  if (located.cost > 1) await pay(located.cost - 1, located.cost);
  return located;
};

const readPaid = ({ reader, pay, slices }: Batch, located: Located): Promise<unknown> =>
  slices.finish(reader.read(located)).catch(async (error) => {
    const unpaid = located.costIfInvalid - located.cost;
    if (unpaid > 0) await pay(unpaid, located.costIfInvalid);
    throw error;
  });

/** Reads the body before taking a slot for the batch. Otherwise, a slow upload would occupy the slot. */
export const serveBatch = async (
  operation: OperationHandler,
  { reader, slots, slicesOf }: Batches,
  context: RequestContext,
  caller: Caller,
  pay: Pay,
): Promise<Reply> => {
  const bytes = await readBytes(operation.input, context.request);
  return slots(caller.keyId, async () => {
    const { input } = readFields(operation.input, context, undefined);
    const batch: Batch = { reader, pay, slices: slicesOf(caller.keyId) };
    await batch.slices.next();
    const once = await readOnce(operation.contract, context, bytes);
    const located = await locatePaid(batch, bytes);
    if (once) await batch.slices.next();
    const call = callOf(context, caller);
    const replayed = once && (await operation.findReplay?.(call, once));
    if (replayed) return toReply(operation, context, undefined, replayed);
    const body = await readPaid(batch, located);
    const { signal } = context.request;
    const answer = await operation.run({ ...(input as object), body }, call, { signal, once });
    return toReply(operation, context, undefined, answer);
  });
};
