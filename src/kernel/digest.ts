/**
 * Sums and hashes by the runtime's own calls: those of `node:crypto` and `node:zlib` bring all its streams along, which
 * takes 15 ms of a start.
 */
export const crc32 = (text: string): number => Bun.hash.crc32(text);

export const sha256 = (text: string): Uint8Array => new Bun.CryptoHasher('sha256').update(text).digest();

/** For what comes in pieces. */
export const createSha256 = () => new Bun.CryptoHasher('sha256');

export const hmacSha256 = (key: Uint8Array, text: string): Uint8Array =>
  new Bun.CryptoHasher('sha256', key).update(text).digest();

/** Bytes that nobody can foresee. */
export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
