type Crypto = typeof import('node:crypto');

let loaded: Crypto | undefined;

/** Loaded with the first hash: it brings all streams of the runtime along, which takes 10 ms of a start. */
const nodeCrypto = (): Crypto => {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
};

export const sha256 = (text: string): Uint8Array => createSha256().update(text).digest();

/** For what comes in pieces. */
export const createSha256 = () => nodeCrypto().createHash('sha256');

export const hmacSha256 = (key: Uint8Array, text: string): Uint8Array =>
  nodeCrypto().createHmac('sha256', key).update(text).digest();

/** Bytes that nobody can foresee. */
export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

const POLYNOMIAL = 0xedb88320;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** CRC-32 of the text in UTF-8 (ISO 3309). Not that of `node:zlib`, which takes 11 ms to load. */
export const crc32 = (text: string): number => {
  let sum = -1;
  for (const byte of Buffer.from(text)) sum = (CRC_TABLE[(sum ^ byte) & 255] as number) ^ (sum >>> 8);
  return ~sum >>> 0;
};
