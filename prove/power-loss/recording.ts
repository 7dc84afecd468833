import { readFileSync } from 'node:fs';

/** The order of these kinds must match their numbers in `disk-recorder.c`. */
const KINDS = [
  'started',
  'created',
  'written',
  'resized',
  'sync begun',
  'sync ended',
  'renamed',
  'removed',
  'sent',
] as const;
const HEADER_BYTES = 24;

export type Entry = {
  kind: (typeof KINDS)[number];
  name: string;
  /** Depending on the kind: the offset of a write, the new size of a file, or the number of a sync. */
  number: number;
  /** Depending on the kind: the bytes that were written or sent, or the new name of the file. */
  bytes: Buffer;
};

export const readRecording = (path: string): Entry[] => {
  const all = readFileSync(path);
  const entries: Entry[] = [];
  for (let at = 0; at < all.length; ) {
    const kind = KINDS[all.readUInt32LE(at)];
    const nameAt = at + HEADER_BYTES;
    const bytesAt = nameAt + all.readUInt32LE(at + 4);
    const end = bytesAt + Number(all.readBigUInt64LE(at + 16));
    if (!kind || end > all.length) throw new Error(`${path} has no complete record at ${at}`);
    entries.push({
      kind,
      name: all.toString('utf8', nameAt, bytesAt),
      number: Number(all.readBigUInt64LE(at + 8)),
      bytes: all.subarray(bytesAt, end),
    });
    at = end;
  }
  return entries;
};

export const answeredBy = ({ bytes }: Entry): string[] =>
  [...bytes.toString('latin1').matchAll(/^X-Request-Id: (req_\w+)/gim)].map(([, id]) => id as string);
