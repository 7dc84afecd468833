import { fdatasyncSync, readSync } from 'node:fs';
import { openFile, writeWhole } from './files.ts';

/** See https://sqlite.org/fileformat2.html#the_write_ahead_log for the format of the WAL. Numbers are big-endian. */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** This number means that checksums use little-endian words, as on every machine that the runtime supports. */
const MAGIC = 0x377f0682;

/** Each frame's checksum continues from the previous frame's checksum, so a frame from another WAL never matches. */
const createChecksum = () => {
  let [first, second] = [0, 0];
  return {
    add(bytes: Buffer): void {
      for (let at = 0; at < bytes.length; at += 8) {
        first = (first + bytes.readInt32LE(at) + second) | 0;
        second = (second + bytes.readInt32LE(at + 4) + first) | 0;
      }
    },
    isAt: (bytes: Buffer, at: number): boolean =>
      bytes.readInt32BE(at) === first && bytes.readInt32BE(at + 4) === second,
  };
};

/**
 * Rewrites the WAL in place with the same bytes, and syncs it. Syncing alone would not be enough: after a failed sync,
 * the operating system may regard pages as written although they are only in memory. If the power fails during the
 * rewrite, each byte on disk is either unchanged or correct.
 * The caller must compare the returned number of frames with SQLite's count, because a checkpoint does not verify
 * checksums.
 */
export const rewriteWal = (path: string, sync: (file: number) => void = fdatasyncSync): number => {
  using file = openFile(path, 'r+');
  const header = Buffer.alloc(HEADER_BYTES);
  const checksum = createChecksum();
  readSync(file.fd, header, 0, HEADER_BYTES, 0);
  checksum.add(header.subarray(0, 24));
  if (header.readUInt32BE(0) !== MAGIC || !checksum.isAt(header, 24)) return 0;
  writeWhole(file.fd, header, 0);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + header.readUInt32BE(8));
  const readFrame = (at: number): boolean => {
    if (readSync(file.fd, frame, 0, frame.length, at) < frame.length) return false;
    // If a frame's salts differ from the header's, the frame is left over from an earlier use of the WAL.
    if (frame.readUInt32BE(0) === 0 || frame.compare(header, 16, 24, 8, 16) !== 0) return false;
    checksum.add(frame.subarray(0, 8));
    checksum.add(frame.subarray(FRAME_HEADER_BYTES));
    return checksum.isAt(frame, 16);
  };
  let committed = 0;
  for (let [count, at] = [1, HEADER_BYTES]; readFrame(at); count += 1, at += frame.length) {
    writeWhole(file.fd, frame, at);
    if (frame.readUInt32BE(4) !== 0) committed = count;
  }
  sync(file.fd);
  return committed;
};
