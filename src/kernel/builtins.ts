import type { BlockList } from 'node:net';
import { once } from './runtime.ts';

/** Uses Bun's own functions: `node:crypto` and `node:zlib` would load all stream code, which adds 15 ms to startup. */
export const crc32 = (text: string): number => Bun.hash.crc32(text);

export const sha256 = (text: string): Buffer => new Bun.CryptoHasher('sha256').update(text).digest();

export const createSha256 = () => new Bun.CryptoHasher('sha256');

export const hmacSha256 = (key: Uint8Array, text: string): Uint8Array =>
  new Bun.CryptoHasher('sha256', key).update(text).digest();

export const isOlderVersion = (version: string, than: string): boolean => Bun.semver.order(version, than) < 0;

export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

/** Loads `node:net` only when it is needed, because loading it at startup would take 10 ms. */
const net = once((): typeof import('node:net') => process.getBuiltinModule('node:net'));

export const isIP = (text: string): number => net().isIP(text);

export const createBlockList = (): BlockList => new (net().BlockList)();
