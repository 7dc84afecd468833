import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { chooseCoding } from '../input/accept.ts';
import { isUnchanged } from '../input/conditional.ts';
import { lazy } from './lazy.ts';

/** Compressions, the smallest result first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

type Bytes = Uint8Array<ArrayBuffer>;
type Packed = { hash: string } & Readonly<Record<Coding, Bytes>>;

/** A generated file. The build adds its hash and its compressed forms. */
export type SiteFile = { text: string; packed?: Packed };

/** Generated files by the path at which they are served. */
export type Site = ReadonlyMap<string, () => MaybePromise<SiteFile>>;

/** Brotli at the highest quality, 11, saves 8 % of a page and takes 17 times the processor. */
const BROTLI_QUALITY = 9;
/** 64 bits: enough to tell apart all versions of one file. */
const HASH_BYTES = 8;

/**
 * Compresses on other threads. `node:zlib` is loaded when it is needed: it would take 15 ms of a start.
 *
 * @internal also for the build
 */
export const packFile = async (text: string): Promise<Packed> => {
  const { brotliCompress, constants, gzip } = await import('node:zlib');
  const bytes = new TextEncoder().encode(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const run = (start: (done: (error: Error | null, compressed: Bytes) => void) => void): Promise<Bytes> =>
    new Promise((resolve, reject) => start((error, compressed) => (error ? reject(error) : resolve(compressed))));
  const [digest, br, gzipped] = await Promise.all([
    crypto.subtle.digest('SHA-256', bytes),
    run((done) => brotliCompress(bytes, { params }, done)),
    run((done) => gzip(bytes, done)),
  ]);
  return { hash: new Uint8Array(digest).slice(0, HASH_BYTES).toHex(), br, gzip: gzipped };
};

/**
 * A body that is the same for all callers. A blob is not copied into the answers that carry it: readers who take nothing
 * cost no memory, however many they are.
 */
export type ReadyFile = { hash: string; plain: Blob } & Readonly<Record<Coding, Blob>>;

const readyFile = async ({ text, packed }: SiteFile): Promise<ReadyFile> => {
  const { hash, br, gzip } = packed ?? (await packFile(text));
  return { hash, plain: new Blob([text]), br: new Blob([br]), gzip: new Blob([gzip]) };
};

export type ReadyFiles = { find(path: string): Promise<ReadyFile | undefined> };

/** Makes each file ready for its first reader, and keeps it. */
export const createFiles = (load: () => Promise<Site>): ReadyFiles => {
  const files = lazy(async () => {
    const site = [...(await load())];
    return new Map(site.map(([path, make]) => [path, lazy(async () => readyFile(await make()))]));
  });
  return { find: async (path) => (await files()).get(path)?.() };
};

/** The file in the coding that suits the caller, or 304 if the caller has it. */
export const answerFile = (request: Request, file: ReadyFile, headers: Record<string, string>): Response => {
  const coding = chooseCoding(request.headers.get('accept-encoding'), CODINGS);
  // A strong tag names bytes, and those of the codings differ (RFC 9110 section 8.8.3.3).
  const tag = coding ? `"${file.hash}-${coding}"` : `"${file.hash}"`;
  const shared = { ...headers, ETag: tag, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' };
  if (isUnchanged(request.headers.get('if-none-match'), tag))
    return new Response(null, { status: 304, headers: shared });
  return coding
    ? new Response(file[coding], { headers: { ...shared, 'Content-Encoding': coding } })
    : new Response(file.plain, { headers: shared });
};
