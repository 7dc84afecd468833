import { createSha256 } from '../../kernel/builtins.ts';
import { Failure, faulty } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { ONE_ROW, tooLarge } from './read-body.ts';

const KEY = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e][\x21-\x7e]{0,254}))$/;

export const readIdempotencyKey = (header: string): string => {
  const [, quoted, bare] = KEY.exec(header.trim()) ?? [];
  const key = quoted ?? bare;
  if (key !== undefined) return key;
  throw faulty('invalid_request', {
    header: 'Idempotency-Key',
    detail: 'must be 1 to 255 visible ASCII characters',
  });
};

const digestAsItComes = async (head: string, body: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const pieces = createSha256().update(head);
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > ONE_ROW.bytes) throw tooLarge(ONE_ROW);
      pieces.update(chunk);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('invalid_request', 'The connection closed before the body was complete.');
  }
  return pieces.digest();
};

/**
 * Also hashes a body that the operation ignores. The usual size limit applies to it, because hashing the largest body
 * that the runtime accepts would take 20 ms.
 */
export const fingerprint = (
  { request, path, queryText }: { request: Request; path: string; queryText: string },
  bytes: Uint8Array | undefined,
): MaybePromise<Uint8Array> => {
  const head = `${request.method} ${path}?${queryText}\n`;
  if (!bytes && request.body && !request.bodyUsed) {
    if (Number(request.headers.get('content-length')) > ONE_ROW.bytes) throw tooLarge(ONE_ROW);
    return digestAsItComes(head, request.body);
  }
  return createSha256()
    .update(head)
    .update(bytes ?? '')
    .digest();
};
