export type JsonRows = {
  /** The start and end offsets of all rows, as a flat list. A row includes the white space around it. */
  ranges: readonly number[];
  opened: number;
  closed: number;
};

const [QUOTE, BACKSLASH, COMMA, OPENING_BRACKET] = [0x22, 0x5c, 0x2c, 0x5b];
const [STRING, OPENING, CLOSING, SEPARATOR] = [1, 2, 3, 4] as const;
const kinds = new Uint8Array(256);
kinds[QUOTE] = STRING;
kinds[COMMA] = SEPARATOR;
for (const opening of '[{') kinds[opening.charCodeAt(0)] = OPENING;
for (const closing of ']}') kinds[closing.charCodeAt(0)] = CLOSING;

const walkString = (bytes: Uint8Array, at: number, end: number): number => {
  for (; at < end && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
  return at;
};

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Parsing a mebibyte of trailing white space would take a long time, so it is removed first. */
export const withoutTrailingSpace = (bytes: Uint8Array): Uint8Array => {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(0, end);
};

const isField = (bytes: Uint8Array, start: number, end: number, field: Uint8Array): boolean => {
  if (end - start !== field.length) return false;
  return field.every((byte, index) => bytes[start + index] === byte);
};

/** How many bytes to scan before each pause. Scanning them takes at most 0.1 ms. */
const STEP = 16 * 1024;

/** Finds up to `most + 1` rows in the list `field`. If the JSON is invalid, the result is meaningless. */
export function* findJsonRows(bytes: Uint8Array, field: string, most: number): Generator<void, JsonRows | undefined> {
  const name = Buffer.from(field);
  let found: JsonRows | undefined;
  let ranges: number[] | undefined;
  let [opened, rowStart] = [0, 0];
  let spaceEnd = 0;
  let [nameStart, nameEnd] = [0, 0];
  let depth = 0;
  let pausedAt = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at === spaceEnd && isSpace(bytes[at])) spaceEnd += 1;
    const kind = kinds[bytes[at] as number];
    if (kind === STRING) {
      const start = at + 1;
      at = walkString(bytes, start, start + STEP);
      for (; at < bytes.length && bytes[at] !== QUOTE; at = walkString(bytes, at, at + STEP)) yield;
      if (depth === 1) [nameStart, nameEnd] = [start, at];
    } else if (kind === OPENING) {
      depth += 1;
      if (depth === 2 && bytes[at] === OPENING_BRACKET && isField(bytes, nameStart, nameEnd, name)) {
        ranges = [];
        opened = rowStart = spaceEnd = at + 1;
      }
    } else if (kind === SEPARATOR && ranges && depth === 2) {
      ranges.push(rowStart, at);
      if (ranges.length > 2 * most) return { ranges, opened, closed: at };
      rowStart = at + 1;
    } else if (kind === CLOSING) {
      depth -= 1;
      if (ranges && depth === 1) {
        if (ranges.length > 0 || spaceEnd < at) ranges.push(rowStart, at);
        // If the field occurs twice, its last list is used, as in `JSON.parse`.
        found = { ranges, opened, closed: at };
        ranges = undefined;
      }
    }
    if (at - pausedAt >= STEP) {
      pausedAt = at;
      yield;
    }
  }
  return found;
}
