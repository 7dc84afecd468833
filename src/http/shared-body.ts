import { isUnchanged } from './conditional.ts';

/**
 * A body that is the same for all who ask, as it is and compressed. A blob is not copied into the answers that carry it:
 * readers who take nothing cost no memory of ours, however many they are.
 */
export type SharedBody = { plain: Blob; gzip: Blob; hash: string };

const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** Loaded when it is needed: with all that it brings along it takes 15 ms of a start. Runs beside the event loop. */
const compress = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
  const { gzip } = await import('node:zlib');
  return new Promise((resolve, reject) => {
    gzip(bytes, (error, compressed) => (error ? reject(error) : resolve(compressed)));
  });
};

/** 64 bits: enough to tell apart what was ever served under one name. */
const HASH_BYTES = 8;

const hashOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).slice(0, HASH_BYTES).toHex();

/** `plain` may be a file, which is then read by the runtime while it is sent. */
export const shareBody = async (plain: Blob): Promise<SharedBody> => {
  const bytes = new Uint8Array(await plain.arrayBuffer());
  const [compressed, hash] = await Promise.all([compress(bytes), hashOf(bytes)]);
  return { plain, gzip: new Blob([compressed]), hash };
};

/** The body in the coding that suits the caller, or 304 if it has that already. */
export const answerShared = (
  request: Request,
  { plain, gzip, hash }: SharedBody,
  headers: Record<string, string>,
): Response => {
  const isGzip = GZIP.test(request.headers.get('accept-encoding') ?? '');
  // A strong tag names bytes, and those of the two codings differ (RFC 9110 section 8.8.3.3).
  const tag = isGzip ? `"${hash}-gzip"` : `"${hash}"`;
  const shared = { ...headers, ETag: tag, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' };
  if (isUnchanged(request.headers.get('if-none-match'), tag))
    return new Response(null, { status: 304, headers: shared });
  return isGzip
    ? new Response(gzip, { headers: { ...shared, 'Content-Encoding': 'gzip' } })
    : new Response(plain, { headers: shared });
};
