/**
 * JSON whose integers keep all digits. JavaScript numbers round beyond 2^53, so larger integers are read as bigint, and
 * bigint is written as a plain JSON number.
 */

import { type JsonBounds, scanJson } from './json-scan.ts';

/** `JSON.stringify` writes the text verbatim. */
export type RawJson = { readonly rawJSON: string };

declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

const INTEGER = /^-?[0-9]+$/;
const UNSIGNED = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const DECIMAL = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** Whether a number with a fraction or an exponent is an integer, such as `1.0` or `1e2`. */
const spellsInteger = (source: string): boolean => {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(source) ?? [];
  const digits = (whole + fraction).replace(/0+$/, '');
  return digits === '' || Number(exponent) + whole.length >= digits.length;
};

/** Longest int64. Longer text never reaches `BigInt`, whose time is quadratic in the number of digits. */
const LONGEST_INT64 = '-9223372036854775808'.length;

/** Keeps an integer's digits. A fraction that would round to an integer becomes NaN. */
const readNumber = (source: string): number | bigint => {
  const value = Number(source);
  if (INTEGER.test(source)) {
    return Number.isSafeInteger(value) || source.length > LONGEST_INT64 ? value : BigInt(source);
  }
  return Number.isSafeInteger(value) && !spellsInteger(source) ? Number.NaN : value;
};

/**
 * Replaces each number that the parser may round by its index plus 0.5; all other numbers are integers. The
 * alternative, a reviver with the source text, makes parsing 19 times slower.
 */
const replaceDoubtful = (text: string, doubtful: readonly number[]) => {
  const sources: string[] = [];
  const pieces: string[] = [];
  let done = 0;
  for (let index = 0; index < doubtful.length; index += 2) {
    const [start, end] = [doubtful[index] as number, doubtful[index + 1] as number];
    const source = text.slice(start, end);
    if (!UNSIGNED.test(source)) throw new SyntaxError(`not a number: ${source}`);
    pieces.push(text.slice(done, start), `${sources.length}.5`);
    sources.push(source);
    done = end;
  }
  return { replaced: pieces.join('') + text.slice(done), sources };
};

const restoreDoubtful = (value: unknown, sources: readonly string[]): unknown => {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    const source = sources[Math.abs(value) - 0.5] as string;
    return readNumber(value < 0 ? `-${source}` : source);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = restoreDoubtful(value[index], sources);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    const restored = restoreDoubtful(field, sources);
    // Writing to a numeric key costs many times more than reading it.
    if (restored !== field) fields[name] = restored;
  }
  return fields;
};

/** JSON beyond the bounds; the message completes "the body …". */
export class ExcessiveJson extends Error {}

const ANY = Infinity;
const NO_BOUNDS: JsonBounds = { depth: ANY, values: ANY, escapes: ANY, digits: ANY, doubtful: ANY };

/** Throws a SyntaxError for invalid JSON. Throws `ExcessiveJson` before parsing if the text exceeds the bounds. */
export const parseJson = (text: string, bounds: JsonBounds = NO_BOUNDS): unknown => {
  const { fault, doubtful } = scanJson(text, bounds);
  if (fault) throw new ExcessiveJson(fault);
  if (doubtful.length === 0) return JSON.parse(text);
  const { replaced, sources } = replaceDoubtful(text, doubtful);
  return restoreDoubtful(JSON.parse(replaced), sources);
};

const keepRaw: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
    ? JSON.rawJSON(source)
    : value;

/** Parses stored JSON for an answer, with all digits. */
export const parseJsonForOutput = (text: string): unknown =>
  JSON.parse(text, keepRaw as Parameters<typeof JSON.parse>[1]);

/** Makes an integer that `JSON.stringify` writes with all digits. */
export const jsonInteger = (value: bigint): number | RawJson => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString());
};
