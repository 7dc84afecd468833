import { createSha256 } from '../kernel/digest.ts';
import { Failure } from '../kernel/failure.ts';

/** Visible ASCII, bare or in quotes that are not part of it. */
const KEY = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e][\x21-\x7e]{0,254}))$/;

/** The caller's name for this request, by which it can be sent again safely. */
export const readIdempotencyKey = (header: string | null): string | undefined => {
  if (header === null) return undefined;
  const [, quoted, bare] = KEY.exec(header.trim()) ?? [];
  const key = quoted ?? bare;
  if (key !== undefined) return key;
  throw new Failure('invalid_request', 'Idempotency-Key: must be 1 to 255 visible ASCII characters');
};

/**
 * What tells one request from another: method, path, query and the bytes of the body. A body that the operation does
 * not take counts too, and has not been read yet: it is hashed as it comes and never kept.
 */
export const fingerprint = async (
  request: Request,
  { path, queryText, bytes }: { path: string; queryText: string; bytes: Uint8Array | undefined },
): Promise<Uint8Array> => {
  const hash = createSha256().update(`${request.method} ${path}?${queryText}\n`);
  if (bytes) hash.update(bytes);
  else if (request.body && !request.bodyUsed) {
    try {
      for await (const chunk of request.body) hash.update(chunk);
    } catch {
      // The caller went away in the middle: nobody reads the answer, but it is no failure of ours.
      throw new Failure('invalid_request', 'The body ended early.');
    }
  }
  return hash.digest();
};
