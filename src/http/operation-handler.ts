import { type Contract, MOST_BATCHES } from '../kernel/contract.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Answer, Call, Caller } from '../kernel/operation.ts';
import { createEncoders } from './finish.ts';
import { isUnchanged } from './input/conditional.ts';
import { pageLinks } from './input/links.ts';
import { type BatchReader, createBatchReader, type Located } from './input/read-batch.ts';
import {
  compileInput,
  type InputSchema,
  type ListRead,
  type Once,
  readBytes,
  readFields,
  readOnce,
} from './input/read-input.ts';
import { spellTraceparent, type Trace } from './observe/trace.ts';
import { createBatchSlots, createTimeSlices, type TimeSlices } from './overload/batch-slots.ts';
import type { Reply } from './reply.ts';
import type { CacheLookup, ReplyCache } from './reply-cache.ts';

/** The parts of a request that an operation needs. */
export type OperationRequest = {
  readonly request: Request;
  /** The named parts of the path, as the router found them. */
  readonly params: Record<string, string>;
  readonly requestId: string;
  readonly path: string;
  readonly queryText: string;
  readonly address: string;
  readonly base: string;
  /** Its place in a distributed trace, if the caller sends one or spans are collected. */
  trace: Trace | undefined;
  /** The lookup in the reply cache, if replies of the operation are cached. */
  lookup: CacheLookup | undefined;
};

/** Runs the operation. Unless `once` is undefined, a request that was served before gets its first answer again. */
type Run = (
  input: unknown,
  call: Call,
  request: { signal: AbortSignal | undefined; once: Once | undefined },
) => MaybePromise<Answer>;

/** Finds the first answer to a repeated request, if it is committed. */
type FindReplay = (call: Call, once: Once) => MaybePromise<Answer | undefined>;

type Batches = {
  reader: BatchReader;
  slots: ReturnType<typeof createBatchSlots>;
  slicesOf: ReturnType<typeof createTimeSlices>;
};

/** The headers of a planned removal, formatted once. */
export type DeprecationHeaders = { since: string; sunset: string; successor: string };

/** A contract and everything that serves its requests, made once. */
export type OperationHandler = {
  contract: Contract;
  input: InputSchema;
  run: Run;
  findReplay: FindReplay | undefined;
  /** Set if requests have many rows. */
  batch: Batches | undefined;
  /** Set if replies are cached. */
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
    batch: reader && { reader, slots: createBatchSlots(MOST_BATCHES), slicesOf: createTimeSlices() },
    replies: contract.repeatable && replies,
    deprecation: deprecation && {
      since: `@${deprecation.since.getTime() / 1000}`,
      sunset: deprecation.sunset.toUTCString(),
      successor: deprecation.successor,
    },
    encoders: createEncoders(),
  };
};

export const callOf = ({ requestId, address, trace }: OperationRequest, caller: Caller): Call => ({
  storeId: caller.storeId,
  keyId: caller.keyId,
  requestId,
  traceparent: trace ? spellTraceparent(trace) : null,
  address,
  scopes: caller.scopes,
  endsAt: caller.endsAt,
  petLimit: caller.limits.pets,
});

const fillPath = (path: string, params: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));

export const toReply = (
  { contract, replies }: OperationHandler,
  context: OperationRequest,
  list: ListRead | undefined,
  answer: Answer,
): Reply => {
  const { base, params, lookup } = context;
  const { body, text, stream, version, location, next, replayed } = answer;
  const headers: Record<string, string> = {};
  if (location !== undefined) headers.Location = `${base}/v1${location}`;
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  if (list) headers.Link = pageLinks(`${base}/v1${fillPath(contract.path, params)}`, list, next);
  if (version !== undefined) headers.ETag = `"${version}"`;
  const reply: Reply = { status: contract.answer.status, headers, body, text, stream };
  if (replies && lookup) return repeat(context, replies.keep(lookup, reply));
  return contract.method === 'GET' ? unlessKnown(context, reply) : reply;
};

/** Answers 304 if the caller has this version already. */
const unlessKnown = ({ request }: OperationRequest, reply: Reply): Reply => {
  const { ETag: tag } = reply.headers;
  const ifNoneMatch = request.headers.get('if-none-match');
  const isKnown = tag !== undefined && ifNoneMatch !== null && isUnchanged(ifNoneMatch, tag);
  return isKnown ? { status: 304, headers: reply.headers } : reply;
};

/** Copies the headers of a cached reply, because later steps add more. */
const repeat = (context: OperationRequest, cached: Reply): Reply =>
  unlessKnown(context, { ...cached, headers: { ...cached.headers } });

/** The cached reply to the same request of the same store, if nothing was written since. */
export const findCached = (replies: ReplyCache, context: OperationRequest, { storeId }: Caller): Reply | undefined => {
  const { path, queryText, base } = context;
  context.lookup = replies.find(`${storeId} ${base}${path}?${queryText}`);
  return context.lookup.cached && repeat(context, context.lookup.cached);
};

/** Charges a batch for more requests than the one already counted; throws if they exceed the limit. */
type Pay = (requests: number) => Promise<void>;
type Batch = { reader: BatchReader; pay: Pay; slices: TimeSlices };

/** A batch pays as soon as its rows are counted, before it is parsed. A repeated batch costs the same again. */
const locatePaid = async ({ reader, pay, slices }: Batch, bytes: Uint8Array | undefined): Promise<Located> => {
  const located = await slices.finish(reader.locate(bytes));
  if (located.cost > 1) await pay(located.cost - 1);
  return located;
};

/** An invalid batch keeps the charge, and pays by its bytes if that is more. */
const readPaid = ({ reader, pay, slices }: Batch, located: Located): Promise<unknown> =>
  slices.finish(reader.read(located)).catch(async (error) => {
    const unpaid = located.costIfInvalid - located.cost;
    if (unpaid > 0) await pay(unpaid);
    throw error;
  });

/** Reads, charges and runs a batch. It takes a slot only once its whole body has arrived. */
export const serveBatch = async (
  operation: OperationHandler,
  { reader, slots, slicesOf }: Batches,
  context: OperationRequest,
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
