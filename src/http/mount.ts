import type { Contract } from '../kernel/contract.ts';
import type { Answer, Call, Caller } from '../kernel/operation.ts';
import { etag } from '../kernel/precondition.ts';
import { isUnchanged } from './conditional.ts';
import { fingerprint, readIdempotencyKey } from './idempotency-key.ts';
import { pageLinks } from './links.ts';
import type { PageCache } from './page-cache.ts';
import { createInputReader, type Incoming } from './read-input.ts';
import type { Reply } from './reply.ts';

/** Runs the operation. Unless `once` is undefined, a request that was served before gets its first answer again. */
type Run = (
  input: unknown,
  call: Call,
  request: { signal: AbortSignal | undefined; once: { key: string; fingerprint: Uint8Array } | undefined },
) => Promise<Answer>;

type MountedRequest = Incoming & { requestId: string; path: string; address: string; base: string };

/** A contract together with the way one of its requests is served, once everything about the caller is settled. */
export type Mounted = { contract: Contract; handle(request: MountedRequest, caller: Caller): Reply | Promise<Reply> };

const fillPath = (path: string, params: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));

/** Turns an operation into the handler of its requests: read, check, run, answer. */
export const mount = (contract: Contract, run: Run, pages?: PageCache): Mounted => {
  const readInput = createInputReader(contract);
  const isRead = contract.method === 'GET';

  const answer = async (incoming: MountedRequest, caller: Caller): Promise<Reply> => {
    const { requestId, address, base, request } = incoming;
    const read = readInput(incoming);
    const { input, list, bytes } = read instanceof Promise ? await read : read;
    const key = contract.method === 'POST' ? readIdempotencyKey(request.headers.get('idempotency-key')) : undefined;
    const once =
      key === undefined ? undefined : { key, fingerprint: await fingerprint(request, { ...incoming, bytes }) };
    const { storeId, keyId, scopes, endsAt } = caller;
    const call: Call = { storeId, keyId, requestId, address, scopes, endsAt };
    const { body, text, stream, version, location, next, replayed } = await run(input, call, {
      // What only looks leaves nothing behind, whoever went away; and making a signal costs more than looking.
      signal: isRead ? undefined : request.signal,
      once,
    });

    const headers: Record<string, string> = {};
    if (location !== undefined) headers.Location = `${base}/v1${location}`;
    if (replayed) headers['Idempotent-Replayed'] = 'true';
    if (list) headers.Link = pageLinks(`${base}/v1${fillPath(contract.path, incoming.params)}`, list, next);
    if (version !== undefined) headers.ETag = etag(version);
    return { status: contract.answer.status, headers, body, text, stream };
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
      handle: async (incoming, caller) => unlessKnown(incoming.request, await answer(incoming, caller)),
    };
  }
  return {
    contract,
    handle: (incoming, caller) => {
      const { path, queryText, base } = incoming;
      const name = `${caller.storeId} ${base}${path}?${queryText}`;
      const kept = pages.find(name);
      if (kept) return repeat(incoming.request, kept);
      return pages.keep(name, () => answer(incoming, caller)).then((made) => repeat(incoming.request, made));
    },
  };
};
