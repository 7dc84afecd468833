import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';

/**
 * As https://sqlite.org/fileformat2.html#the_write_ahead_log has it. All numbers but the words of a sum are big-endian;
 * those are in the order of the machine that wrote the log, and the runtime knows none that is not little-endian.
 */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
/** Of a header, so many bytes are summed; of a frame's header, so many, and then its page. */
const SUMMED_HEADER_BYTES = 24;
const SUMMED_FRAME_BYTES = 8;
/** Frames that are read at once: some 1 MB. */
const FRAMES_AT_ONCE = 256;

type Sum = { first: number; second: number };

/** Each frame is summed on top of the one before it, so that none is taken for a part of another log. */
const addTo = (sum: Sum, words: Int32Array, from: number, length: number): void => {
  let { first, second } = sum;
  for (let at = from / 4; at < (from + length) / 4; at += 2) {
    first = (first + (words[at] as number) + second) | 0;
    second = (second + (words[at + 1] as number) + first) | 0;
  }
  sum.first = first;
  sum.second = second;
};
const isSum = ({ first, second }: Sum, bytes: DataView, at: number): boolean =>
  bytes.getInt32(at) === first && bytes.getInt32(at + 4) === second;

/** Of frames that follow one another, tells how many are whole. Undefined if the log has no beginning. */
const createReader = (header: DataView<ArrayBuffer>) => {
  const sum: Sum = { first: 0, second: 0 };
  addTo(sum, new Int32Array(header.buffer), 0, SUMMED_HEADER_BYTES);
  if (header.getUint32(0) !== MAGIC || !isSum(sum, header, SUMMED_HEADER_BYTES)) return undefined;
  const pageBytes = header.getUint32(8);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;

  const isWhole = (bytes: DataView, words: Int32Array, at: number): boolean => {
    const isOfThisLog =
      bytes.getUint32(at) !== 0 &&
      bytes.getUint32(at + 8) === header.getUint32(16) &&
      bytes.getUint32(at + 12) === header.getUint32(20);
    if (!isOfThisLog) return false;
    addTo(sum, words, at, SUMMED_FRAME_BYTES);
    addTo(sum, words, at + FRAME_HEADER_BYTES, pageBytes);
    return isSum(sum, bytes, at + 16);
  };

  return {
    frameBytes,
    /** Of these, how many are whole, and up to which of those there are whole transactions. */
    read(bytes: DataView<ArrayBuffer>): { whole: number; committed: number } {
      const words = new Int32Array(bytes.buffer);
      let [whole, committed] = [0, 0];
      for (let at = 0; at + frameBytes <= bytes.byteLength && isWhole(bytes, words, at); at += frameBytes) {
        whole += 1;
        if (bytes.getUint32(at + 4) !== 0) committed = whole;
      }
      return { whole, committed };
    },
  };
};

/** A disk that has no room for all of it takes the beginning, and calls that a success. */
const writeWhole = (file: number, bytes: DataView<ArrayBuffer>, length: number, at: number): void => {
  const written = writeSync(file, bytes, 0, length, at);
  if (written !== length) throw new Error(`of ${length} bytes the disk took ${written}`);
};

/**
 * Brings the log to the disk as it is read, and returns how many of its frames are whole, up to the last commit. What is
 * read may be in the system's memory alone: a sync that failed has marked it as written. So it is written once more, over
 * itself: whatever of that a loss of power leaves on the disk is what was there, or what belongs there.
 */
export const rewriteWal = (path: string, sync: (file: number) => void = fdatasyncSync): number => {
  const file = openSync(path, 'r+');
  try {
    const header = new DataView(new ArrayBuffer(HEADER_BYTES));
    const log = readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES ? createReader(header) : undefined;
    if (!log) return 0;
    writeWhole(file, header, HEADER_BYTES, 0);
    const frames = new DataView(new ArrayBuffer(log.frameBytes * FRAMES_AT_ONCE));
    let [seen, kept] = [0, 0];
    for (let isWhole = true; isWhole; ) {
      const at = HEADER_BYTES + seen * log.frameBytes;
      const length = readSync(file, frames, 0, frames.byteLength, at);
      const { whole, committed } = log.read(new DataView(frames.buffer, 0, length));
      if (whole > 0) writeWhole(file, frames, whole * log.frameBytes, at);
      if (committed > 0) kept = seen + committed;
      seen += whole;
      isWhole = whole === FRAMES_AT_ONCE;
    }
    sync(file);
    return kept;
  } finally {
    closeSync(file);
  }
};
