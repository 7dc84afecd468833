export class UnreadableText extends Error {}

export const LONGEST_ROW = 1024 * 1024;

/** The first bytes of a ZIP file (.xlsx, .ods) and of an OLE file (.xls). */
const WORKBOOKS = ['504b0304', 'd0cf11e0'];

/** The first bytes of UTF-16 text, which is not binary although it contains null bytes. */
const UTF_16 = ['fffe', 'feff'];

const startOf = (bytes: Uint8Array, length: number): string =>
  Array.from(bytes.subarray(0, length), (byte) => byte.toString(16).padStart(2, '0')).join('');

const startsWorkbook = (bytes: Uint8Array): boolean => WORKBOOKS.includes(startOf(bytes, 4));
const startsBinary = (bytes: Uint8Array): boolean => bytes.includes(0) && !UTF_16.includes(startOf(bytes, 2));

export async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [isFirst, isBinary] = [true, false];
  try {
    for await (const bytes of chunks) {
      if (isFirst && startsWorkbook(bytes)) {
        throw new UnreadableText('is a spreadsheet; save it as CSV (UTF-8) and import that file');
      }
      if (isFirst) isBinary = startsBinary(bytes);
      isFirst = false;
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UnreadableText(isBinary ? 'is not a CSV or JSON file' : 'is not UTF-8 text; save it as UTF-8');
  }
}

export type Piece = { text: string; line: number; item?: number };

export const placeOf = ({ line, item }: Omit<Piece, 'text'>): string =>
  item === undefined ? `line ${line}` : `item ${item}, line ${line}`;

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);

/** Some Mac programs end lines with only a carriage return. The first line shows which ending the file uses. */
export async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<Piece[], void> {
  let rest = '';
  let line = 1;
  let ending: string | undefined;
  for await (const chunk of chunks) {
    const text = rest + chunk;
    ending ??= /\r(?=[^\n])|\n/.exec(text)?.[0];
    const lines = text.split(ending ?? '\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_ROW)
      throw new UnreadableText(`has more than ${LONGEST_ROW} characters in line ${line + lines.length}`);
    const first = line;
    line += lines.length;
    yield lines.map((text, index) => ({ text: withoutReturn(text), line: first + index }));
  }
  if (rest !== '') yield [{ text: withoutReturn(rest), line }];
}

const [NEWLINE, QUOTE, COMMA, BACKSLASH] = [10, 34, 44, 92];
const OPENS = [91, 123];
const CLOSES = [93, 125];

const createScanner = () => {
  let [depth, inString, isEscaped] = [0, false, false];
  return (code: number): 'element' | 'array' | undefined => {
    if (inString) {
      if (isEscaped) isEscaped = false;
      else if (code === BACKSLASH) isEscaped = true;
      else if (code === QUOTE) inString = false;
      return undefined;
    }
    if (code === QUOTE) inString = true;
    else if (OPENS.includes(code)) depth += 1;
    else if (CLOSES.includes(code)) {
      depth -= 1;
      return depth === 0 ? 'array' : undefined;
    }
    return code === COMMA && depth === 1 ? 'element' : undefined;
  };
};

const toPiece = (text: string, line: number, item: number): Piece[] => {
  const trimmed = text.trim();
  const before = text.slice(0, text.length - text.trimStart().length).split('\n').length - 1;
  return trimmed === '' ? [] : [{ text: trimmed, line: line + before, item }];
};

/** Text after the array, such as a second array, must not be silently ignored. */
const refuseMore = (text: string): void => {
  if (text.trim() !== '') throw new UnreadableText('has text after the end of its array; put all pets into one array');
};

export async function* readElements(chunks: AsyncIterable<string>): AsyncGenerator<Piece[], void> {
  const scan = createScanner();
  let [rest, line, startLine, isOpen, isOver, items] = ['', 1, 1, false, false, 0];
  for await (const chunk of chunks) {
    if (isOver) {
      refuseMore(chunk);
      continue;
    }
    if (!isOpen && !/^\s*\[/.test(chunk)) {
      throw new UnreadableText('must be a JSON array of pets; if each line is a JSON object, use --format ndjson');
    }
    const text = rest + chunk;
    const found: Piece[] = [];
    let start = isOpen ? 0 : chunk.indexOf('[') + 1;
    if (!isOpen) startLine += chunk.slice(0, start).split('\n').length - 1;
    for (let at = rest.length; at < text.length && !isOver; at += 1) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) line += 1;
      const ended = scan(code);
      if (!ended) continue;
      items += 1;
      found.push(...toPiece(text.slice(start, at), startLine, items));
      [start, startLine, isOver] = [at + 1, line, ended === 'array'];
    }
    isOpen = true;
    rest = text.slice(start);
    if (rest.length > LONGEST_ROW && !isOver) {
      throw new UnreadableText(`has an element with more than ${LONGEST_ROW} characters in line ${startLine}`);
    }
    if (isOver) refuseMore(rest);
    yield found;
  }
  if (!isOver) throw new UnreadableText('ends before its array is closed');
}
