import { createReadStream } from 'node:fs';

/** A text that cannot be read; the message says what to change. */
export class UnreadableText extends Error {}

const CHUNK_BYTES = 256 * 1024;

/** The text of a file, piece by piece, without its byte order mark. `seen` is told of the bytes. */
export async function* readChunks(path: string, seen: (bytes: Uint8Array) => void): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      seen(bytes);
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableText('is no UTF-8 text: save it as UTF-8');
    throw error;
  }
}

/** So long a row may be: an animal is much shorter. */
export const LONGEST_ROW = 1024 * 1024;

/** A piece of a text, and the line on which it begins. */
export type Piece = { text: string; line: number };

/** Its lines, many at a time, without what ends them. */
export async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<Piece[], void> {
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_ROW)
      throw new UnreadableText(`has a line of more than ${LONGEST_ROW} characters: line ${line + lines.length}`);
    const first = line;
    line += lines.length;
    yield lines.map((text, index) => ({ text: text.endsWith('\r') ? text.slice(0, -1) : text, line: first + index }));
  }
  if (rest !== '') yield [{ text: rest, line }];
}
