const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CODES = Buffer.from(ALPHABET, 'latin1');
/** Skips byte values of 248 and above. All characters are then equally likely, because 248 is a multiple of 62. */
const FAIR = 248;

export type RandomBytes = (count: number) => Uint8Array;
export type RandomText = (length: number) => string;

/** Reads random bytes in large blocks, so that one system call is enough for many ids. */
export const createRandomText = (randomBytes: RandomBytes, blockSize = 4096): RandomText => {
  let block = '';
  let next = 0;
  const refill = (): void => {
    const bytes = randomBytes(blockSize);
    const characters = Buffer.allocUnsafe(blockSize);
    let count = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte < FAIR) characters[count++] = CODES[byte % 62] as number;
    }
    block = block.slice(next) + characters.toString('latin1', 0, count);
    next = 0;
  };
  return (length) => {
    while (block.length - next < length) refill();
    next += length;
    return block.slice(next - length, next);
  };
};

export const toBase62 = (value: number, length: number): string => {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text.padStart(length, '0');
};
