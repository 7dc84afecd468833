/** JavaScript rounds integers beyond 2^53. This module reads them as bigints and writes bigints as JSON numbers. */

export type RawJson = { readonly rawJSON: string };

declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
  }
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

const INTEGER = /^-?[0-9]+$/;
const DECIMAL = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

const spellsInteger = (source: string): boolean => {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(source) ?? [];
  const digits = (whole + fraction).replace(/0+$/, '');
  return digits === '' || Number(exponent) + whole.length >= digits.length;
};

/** `BigInt` is slow for very long strings, so numbers that are longer than this are not converted. */
const LONGEST_INT64 = '-9223372036854775808'.length;

/** Returns NaN if the number has a fraction but JavaScript would round it to an integer. */
const readNumber = (source: string): number | bigint => {
  const value = Number(source);
  if (INTEGER.test(source)) {
    return Number.isSafeInteger(value) || source.length > LONGEST_INT64 ? value : BigInt(source);
  }
  return Number.isSafeInteger(value) && !spellsInteger(source) ? Number.NaN : value;
};

/** Old browsers do not provide `source`. They round large integers to unsafe integers, which are rejected later. */
const restoreDigits: Reviver = (_key, value, { source } = {}) =>
  typeof value === 'number' && source !== undefined ? readNumber(source) : value;

/** The message must continue a sentence that begins with "The body". */
export class ExcessiveJson extends Error {}

const ANY = Infinity;
const NO_BOUNDS: JsonBounds = { depth: ANY, values: ANY, escapes: ANY, digits: ANY, doubtful: ANY };

export const parseJson = (text: string, bounds: JsonBounds = NO_BOUNDS): unknown => {
  const { fault, doubtful } = scanJson(text, bounds);
  if (fault) throw new ExcessiveJson(fault);
  // The reviver is used only if it is needed, because it makes parsing many times slower.
  return doubtful === 0 ? JSON.parse(text) : JSON.parse(text, restoreDigits);
};

const keepRaw: Reviver = (_key, value, { source } = {}) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
    ? JSON.rawJSON(source)
    : value;

export const parseJsonForOutput = (text: string): unknown => JSON.parse(text, keepRaw);

export type JsonBounds = {
  depth: number;
  values: number;
  escapes: number;
  digits: number;
  /** At most this many numbers may have a fraction, an exponent or more than 15 digits. */
  doubtful: number;
};

const EXACT_DIGITS = 15;

const FAULTS: Record<keyof JsonBounds, (bounds: JsonBounds) => string> = {
  depth: ({ depth }) => `is nested too deeply: use at most ${depth} levels`,
  values: ({ values }) => `contains too many values: send at most ${values}`,
  escapes: ({ escapes }) => `contains too many escapes: send at most ${escapes}, and leave other characters unescaped`,
  digits: ({ digits }) => `contains a number that is too long: send at most ${digits} digits`,
  doubtful: ({ doubtful }) =>
    `contains too many numbers with more than ${EXACT_DIGITS} digits, a fraction or an exponent: send at most ${doubtful} such numbers`,
};

const [QUOTE, BACKSLASH, PLUS, MINUS] = [0x22, 0x5c, 0x2b, 0x2d];

const [STRING, OPENING, CLOSING, COMMA, DIGIT, IN_NUMBER] = [1, 2, 3, 4, 5, 6] as const;
const KINDS: readonly [string, number][] = [
  ['"', STRING],
  ['[{', OPENING],
  [']}', CLOSING],
  [',', COMMA],
  ['0123456789', DIGIT],
  ['.eE', IN_NUMBER],
];
const kinds = new Uint8Array(128);
for (const [characters, kind] of KINDS) for (const one of characters) kinds[one.charCodeAt(0)] = kind;

const kindAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? (kinds[code] as number) : 0;
};

// After this many characters without a token, `indexOf` or a regular expression is faster than a loop.
const FAR = 64;

const TOKEN = /["[\]{},0-9]/g;

const findToken = (text: string, from: number): number => {
  TOKEN.lastIndex = from;
  return TOKEN.exec(text)?.index ?? text.length;
};

const find = (text: string, character: string, from: number): number => {
  const found = text.indexOf(character, from);
  return found < 0 ? text.length : found;
};

type Escapes = { count: number; next: number };

const walkString = (text: string, start: number, escapes: Escapes): number => {
  let count = 0;
  let idle = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    idle += 1;
    if (code === BACKSLASH) {
      count += 1;
      at += 1;
      idle = 0;
    } else if (idle >= FAR) {
      if (escapes.next < at) escapes.next = find(text, '\\', at);
      at = Math.min(escapes.next, find(text, '"', at)) - 1;
    }
  }
  escapes.count += count;
  return at;
};

const walkNumber = (text: string, start: number): number => {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const kind = kindAt(text, at);
    const code = text.charCodeAt(at);
    if (kind !== DIGIT && kind !== IN_NUMBER && code !== PLUS && code !== MINUS) break;
  }
  return at;
};

const isPlain = (text: string, start: number, end: number): boolean => {
  if (end - start > EXACT_DIGITS) return false;
  for (let at = start; at < end; at += 1) if (kindAt(text, at) !== DIGIT) return false;
  return true;
};

/** Does not detect invalid JSON, because the parser does that later. @internal */
export const scanJson = (text: string, bounds: JsonBounds): { fault?: string; doubtful: number } => {
  const escapes: Escapes = { count: 0, next: -1 };
  let doubtful = 0;
  let depth = 0;
  let values = 1;
  let opened = -1;
  let idle = 0;

  for (let at = 0; at < text.length; at += 1) {
    const kind = kindAt(text, at);
    idle = kind === 0 ? idle + 1 : 0;
    if (idle >= FAR) {
      at = findToken(text, at) - 1;
      idle = 0;
    } else if (kind === STRING) {
      at = walkString(text, at + 1, escapes);
      if (escapes.count > bounds.escapes) return { fault: FAULTS.escapes(bounds), doubtful };
    } else if (kind === DIGIT) {
      const end = walkNumber(text, at);
      if (end - at > bounds.digits) return { fault: FAULTS.digits(bounds), doubtful };
      if (!isPlain(text, at, end)) doubtful += 1;
      if (doubtful > bounds.doubtful) return { fault: FAULTS.doubtful(bounds), doubtful };
      at = end - 1;
    } else if (kind === OPENING || kind === COMMA) {
      values += 1;
      if (kind === OPENING) {
        depth += 1;
        opened = at;
      }
      if (depth > bounds.depth) return { fault: FAULTS.depth(bounds), doubtful };
      // Allows one value too many, because the list or object that was just opened may turn out to be empty.
      if (values > bounds.values + 1) return { fault: FAULTS.values(bounds), doubtful };
    } else if (kind === CLOSING) {
      depth -= 1;
      if (opened >= 0 && text.slice(opened + 1, at).trimStart() === '') values -= 1;
      opened = -1;
    }
  }
  return values > bounds.values ? { fault: FAULTS.values(bounds), doubtful } : { doubtful };
};
