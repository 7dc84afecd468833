import type { Contract } from '../kernel/contract.ts';
import type { Answer, Call, Caller } from '../kernel/operation.ts';
import { etag } from '../kernel/precondition.ts';
import { isUnchanged } from './conditional.ts';
import { fingerprint, readIdempotencyKey } from './idempotency-key.ts';
import { pageLinks } from './links.ts';
import { createInputReader, type Incoming } from './read-input.ts';
import type { Reply } from './reply.ts';

/** Runs the operation. Unless `once` is undefined, a request that was served before gets its first answer again. */
type Run = (
  input: unknown,
  call: Call,
  request: { signal: AbortSignal; once: { key: string; fingerprint: Uint8Array } | undefined },
) => Promise<Answer>;

type MountedRequest = Incoming & { caller: Caller; requestId: string; path: string; address: string; base: string };

/** A contract together with the way one of its requests is served, once everything about the caller is settled. */
export type Mounted = { contract: Contract; handle(request: MountedRequest): Promise<Reply> };

const fillPath = (path: string, params: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));

/** Turns an operation into the handler of its requests: read, check, run, answer. */
export const mount = (contract: Contract, run: Run): Mounted => {
  const readInput = createInputReader(contract);

  return {
    contract,
    async handle(incoming) {
      const { caller, requestId, address, base, request } = incoming;
      const { input, list, bytes } = await readInput(incoming);
      const key = contract.method === 'POST' ? readIdempotencyKey(request.headers.get('idempotency-key')) : undefined;
      const once =
        key === undefined ? undefined : { key, fingerprint: await fingerprint(request, { ...incoming, bytes }) };
      const { storeId, keyId, scopes } = caller;
      const call: Call = { storeId, keyId, requestId, address, scopes };
      const { body, text, stream, version, location, next, replayed } = await run(input, call, {
        signal: request.signal,
        once,
      });

      const headers: Record<string, string> = {};
      if (location !== undefined) headers.Location = `${base}/v1${location}`;
      if (replayed) headers['Idempotent-Replayed'] = 'true';
      if (list) headers.Link = pageLinks(`${base}/v1${fillPath(contract.path, incoming.params)}`, list, next);
      if (version !== undefined) {
        headers.ETag = etag(version);
        const isRead = contract.method === 'GET';
        if (isRead && isUnchanged(request.headers.get('if-none-match'), headers.ETag)) return { status: 304, headers };
      }
      return { status: contract.answer.status, headers, body, text, stream };
    },
  };
};
