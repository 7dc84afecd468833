import { createSha256 } from '../../kernel/builtins.ts';
import { faulty } from '../../kernel/failure.ts';
import { ONE_ROW, readBody } from './read-body.ts';

const KEY = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e][\x21-\x7e]{0,254}))$/;

export const readIdempotencyKey = (header: string): string => {
  const [, quoted, bare] = KEY.exec(header.trim()) ?? [];
  const key = quoted ?? bare;
  if (key !== undefined) return key;
  throw faulty('invalid_request', { header: 'Idempotency-Key', detail: 'must be 1 to 255 visible ASCII characters' });
};

/**
 * The hash includes the body even if the operation ignores it. The size of an ignored body is limited to `ONE_ROW`,
 * because hashing the largest body that the runtime accepts would take 20 ms.
 */
export const fingerprint = async (
  { request, path, queryText }: { request: Request; path: string; queryText: string },
  bytes: Uint8Array | undefined,
): Promise<Uint8Array> => {
  const ignored = bytes || request.bodyUsed ? undefined : await readBody(request, undefined, ONE_ROW);
  return createSha256()
    .update(`${request.method} ${path}?${queryText}\n`)
    .update(bytes ?? ignored ?? '')
    .digest();
};
