import type { Caller } from '../kernel/operation.ts';
import { callOf, type RequestContext } from './context.ts';
import { toReply } from './finish.ts';
import { readBytes, readFields, readOnce } from './input/read-input.ts';
import type { Reply } from './reply.ts';
import type { Batches, OperationHandler } from './routes.ts';

/** Reads the body before taking a slot for the batch. Otherwise, a slow upload would occupy the slot. */
export const serveBatch = async (
  operation: OperationHandler,
  { reader, slots, slicesOf }: Batches,
  context: RequestContext,
  caller: Caller,
  pay: (more: number, total: number) => Promise<void>,
): Promise<Reply> => {
  const bytes = await readBytes(operation.input, context.request);
  return slots(caller.keyId, async () => {
    const { input } = readFields(operation.input, context, undefined);
    const slices = slicesOf(caller.keyId);
    await slices.next();
    const once = await readOnce(operation.contract, context, bytes);
    const located = await slices.finish(reader.locate(bytes));
    const { cost, costIfInvalid } = located;
    if (cost > 1) await pay(cost - 1, cost);
    if (once) await slices.next();
    const call = callOf(context, caller);
    const replayed = once && (await operation.findReplay?.(call, once));
    if (replayed) return toReply(operation, context, undefined, replayed);
    const body = await slices.finish(reader.read(located)).catch(async (error) => {
      if (costIfInvalid > cost) await pay(costIfInvalid - cost, costIfInvalid);
      throw error;
    });
    const { signal } = context.request;
    const answer = await operation.run({ ...(input as object), body }, call, { signal, once });
    return toReply(operation, context, undefined, answer);
  });
};
