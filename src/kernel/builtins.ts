import type { BlockList } from 'node:net';

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

type Net = typeof import('node:net');

let net: Net | undefined;

/** Loaded when the first address is looked at: it brings all streams of the runtime along, which takes 10 ms of a start. */
const loaded = (): Net => {
  net ??= process.getBuiltinModule('node:net');
  return net;
};

/** 4 or 6, or 0 for what is no address. */
export const isIP = (text: string): number => loaded().isIP(text);

/** A set of addresses and networks. */
export const createBlockList = (): BlockList => new (loaded().BlockList)();
