const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte: bytes from here on are thrown away, so that no character is likelier. */
const FAIR = 248;

export type RandomBytes = (count: number) => Uint8Array;
export type RandomText = (length: number) => string;

/** Random base62 text from a source of bytes that is asked in blocks: one system call serves many ids. */
export const createRandomText = (randomBytes: RandomBytes, blockSize = 4096): RandomText => {
  let block = new Uint8Array();
  let next = 0;
  return (length) => {
    let text = '';
    while (text.length < length) {
      if (next === block.length) {
        block = new Uint8Array(randomBytes(blockSize));
        next = 0;
      }
      const byte = block[next++] as number;
      if (byte < FAIR) text += ALPHABET[byte % 62];
    }
    return text;
  };
};

/** `value` in base62, padded with zeros to `length`. */
export const toBase62 = (value: number, length: number): string => {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text.padStart(length, '0');
};
