import { type Contract, MOST_BATCHES } from '../kernel/contract.ts';
import { chain, type MaybePromise } from '../kernel/maybe-promise.ts';
import { type Answer, type Call, type Caller, etag } from '../kernel/operation.ts';
import { isUnchanged } from './input/conditional.ts';
import { fingerprint, readIdempotencyKey } from './input/idempotency-key.ts';
import { pageLinks } from './input/links.ts';
import { type BatchReader, createBatchReader, type Located } from './input/read-batch.ts';
import { createInputReader, type Incoming, type ListRead, type Read } from './input/read-input.ts';
import { spellTraceparent, type Trace } from './observe/trace.ts';
import { createBulkhead } from './overload/batch-slots.ts';
import { createTurns, type Turns } from './overload/batch-turns.ts';
import type { PageCache } from './pages/page-cache.ts';
import type { Reply } from './reply.ts';

type Once = { key: string; fingerprint: Uint8Array };

/** Runs the operation. Unless `once` is undefined, a request that was served before gets its first answer again. */
type Run = (
  input: unknown,
  call: Call,
  request: { signal: AbortSignal | undefined; once: Once | undefined },
) => MaybePromise<Answer>;

/** The answer that the caller has had to this request before, if it can be seen already. */
type FindReplay = (call: Call, once: Once) => MaybePromise<Answer | undefined>;

type MountedRequest = Incoming & {
  requestId: string;
  path: string;
  address: string;
  base: string;
  trace: Trace | undefined;
};

/** Has the caller pay so many requests more than the one that is counted; throws if they cannot be paid. */
type Pay = (requests: number) => MaybePromise<void>;

/** A contract together with the way one of its requests is served, once everything about the caller is settled. */
export type Mounted = {
  contract: Contract;
  /** `pay` is there if the contract has requests that cost more than one. */
  handle(request: MountedRequest, caller: Caller, pay?: Pay): MaybePromise<Reply>;
};

type Batch = { reader: BatchReader; pay: Pay; turns: Turns };

/** A batch pays as soon as its rows are counted, before it is parsed. One that was served before costs the same again. */
const locatePaid = async ({ reader, pay, turns }: Batch, bytes: Uint8Array | undefined): Promise<Located> => {
  const located = await turns.finish(reader.locate(bytes));
  if (located.cost > 1) await pay(located.cost - 1);
  return located;
};

/** An invalid batch keeps the charge, and pays by its bytes if that is more. */
const readPaid = ({ reader, pay, turns }: Batch, located: Located): Promise<unknown> =>
  turns.finish(reader.read(located)).catch(async (error) => {
    const unpaid = located.costIfInvalid - located.cost;
    if (unpaid > 0) await pay(unpaid);
    throw error;
  });

const fillPath = (path: string, params: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));

const toReply = (
  contract: Contract,
  { base, params }: MountedRequest,
  list: ListRead | undefined,
  answer: Answer,
): Reply => {
  const { body, text, stream, version, location, next, replayed } = answer;
  const headers: Record<string, string> = {};
  if (location !== undefined) headers.Location = `${base}/v1${location}`;
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  if (list) headers.Link = pageLinks(`${base}/v1${fillPath(contract.path, params)}`, list, next);
  if (version !== undefined) headers.ETag = etag(version);
  return { status: contract.answer.status, headers, body, text, stream };
};

/** Where answers are found that need not be made again. */
type Kept = { pages?: PageCache | undefined; findReplay?: FindReplay };

/** Turns an operation into the handler of its requests: read, check, run, answer. */
export const mount = (contract: Contract, run: Run, { pages, findReplay }: Kept = {}): Mounted => {
  const { readBytes, read } = createInputReader(contract);
  const isRead = contract.method === 'GET';
  const reader = createBatchReader(contract);
  const fewBatches = createBulkhead(MOST_BATCHES);
  const turnsOf = createTurns();

  /** The wish to be served once, if the caller has it. */
  const readOnce = (incoming: MountedRequest, bytes: Uint8Array | undefined): MaybePromise<Once | undefined> => {
    const { headers } = incoming.request;
    const key = contract.method === 'POST' ? readIdempotencyKey(headers.get('idempotency-key')) : undefined;
    return key === undefined
      ? undefined
      : chain(fingerprint(incoming.request, { ...incoming, bytes }), (print) => ({ key, fingerprint: print }));
  };

  const serve = (incoming: MountedRequest, call: Call, { input, list }: Read, once: Once | undefined) => {
    // A read leaves nothing behind if the caller goes away, and making the signal costs more than the read.
    const signal = isRead ? undefined : incoming.request.signal;
    return chain(run(input, call, { signal, once }), (answered) => toReply(contract, incoming, list, answered));
  };

  const serveBatch = async (incoming: MountedRequest, call: Call, bytes: Uint8Array | undefined, batch: Batch) => {
    const { input } = read(incoming, undefined);
    await batch.turns.next();
    const once = await readOnce(incoming, bytes);
    const located = await locatePaid(batch, bytes);
    if (once) await batch.turns.next();
    const kept = once && (await findReplay?.(call, once));
    if (kept) return toReply(contract, incoming, undefined, kept);
    const body = await readPaid(batch, located);
    return serve(incoming, call, { input: { ...(input as object), body } }, once);
  };

  const answer = (incoming: MountedRequest, caller: Caller, pay?: Pay): MaybePromise<Reply> => {
    const { storeId, keyId, scopes, endsAt, limits } = caller;
    const { requestId, address, trace } = incoming;
    const traceparent = trace ? spellTraceparent(trace) : null;
    const call: Call = { storeId, keyId, requestId, traceparent, address, scopes, endsAt, petLimit: limits.pets };
    return chain(readBytes(incoming), (bytes) => {
      // Whoever sends slowly has no place yet.
      if (pay && reader) {
        return fewBatches(keyId, () => serveBatch(incoming, call, bytes, { reader, pay, turns: turnsOf(keyId) }));
      }
      const given = read(incoming, bytes);
      return chain(readOnce(incoming, bytes), (once) => serve(incoming, call, given, once));
    });
  };

  const unlessKnown = (request: Request, reply: Reply): Reply => {
    const { ETag: tag } = reply.headers;
    const isKnown = isRead && tag !== undefined && isUnchanged(request.headers.get('if-none-match'), tag);
    return isKnown ? { status: 304, headers: reply.headers } : reply;
  };

  /** Headers are added to an answer on its way; those that are kept stay as they are. */
  const repeat = (request: Request, kept: Reply): Reply =>
    unlessKnown(request, { ...kept, headers: { ...kept.headers } });

  if (!pages || !contract.repeatable) {
    return {
      contract,
      handle: (incoming, caller, pay) =>
        chain(answer(incoming, caller, pay), (reply) => unlessKnown(incoming.request, reply)),
    };
  }
  return {
    contract,
    handle: (incoming, caller) => {
      const { path, queryText, base } = incoming;
      const name = `${caller.storeId} ${base}${path}?${queryText}`;
      const kept = pages.find(name);
      if (kept) return repeat(incoming.request, kept);
      const made = pages.keep(name, () => answer(incoming, caller));
      return chain(made, (page) => repeat(incoming.request, page));
    },
  };
};
