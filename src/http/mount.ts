import type { Contract } from '../kernel/contract.ts';
import type { Answer, Call, Caller } from '../kernel/operation.ts';
import { etag, isUnchanged } from './conditional.ts';
import { pageLinks } from './links.ts';
import { createInputReader, type Incoming } from './read-input.ts';
import type { Reply } from './reply.ts';

type MountedRequest = Incoming & { caller: Caller; requestId: string; address: string; base: string };

/** A contract together with the way one of its requests is served, once everything about the caller is settled. */
export type Mounted = { contract: Contract; handle(request: MountedRequest): Promise<Reply> };

/** Turns an operation into the handler of its requests: read, check, run, answer. */
export const mount = (
  contract: Contract,
  run: (input: unknown, call: Call, signal: AbortSignal) => Promise<Answer>,
): Mounted => {
  const readInput = createInputReader(contract);

  return {
    contract,
    async handle(incoming) {
      const { caller, requestId, address, base, request } = incoming;
      const { input, list } = await readInput(incoming);
      const call: Call = { storeId: caller.storeId, keyId: caller.keyId, requestId, address };
      const { body, version, location, next } = await run(input, call, request.signal);

      const headers: Record<string, string> = {};
      if (location !== undefined) headers.Location = `${base}/v1${location}`;
      if (list) headers.Link = pageLinks(`${base}/v1${contract.path}`, list, next);
      if (version !== undefined) {
        headers.ETag = etag(version);
        const isRead = contract.method === 'GET';
        if (isRead && isUnchanged(request.headers.get('if-none-match'), headers.ETag)) return { status: 304, headers };
      }
      return { status: contract.answer.status, headers, body };
    },
  };
};
