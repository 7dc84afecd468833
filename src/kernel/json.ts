/**
 * JSON whose integers keep all their digits. JavaScript's own numbers round beyond 2^53; here such integers are read as
 * bigint, and bigint is written as a plain JSON number.
 */

import { type JsonBounds, scanJson } from './json-scan.ts';

/** What `JSON.stringify` writes as the text it holds. */
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

/** Whether a number with a fraction or an exponent is an integer all the same, as `1.0` and `1e2` are. */
const spellsInteger = (source: string): boolean => {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(source) ?? [];
  const digits = (whole + fraction).replace(/0+$/, '');
  return digits === '' || Number(exponent) + whole.length >= digits.length;
};

/** No int64 is longer. To read a longer integer digit by digit takes a time that grows with the square of their number. */
const LONGEST_INT64 = '-9223372036854775808'.length;

/** Integers keep their digits. A number that would only be rounded to an integer is made none. */
const readNumber = (source: string): number | bigint => {
  const value = Number(source);
  if (INTEGER.test(source)) {
    return Number.isSafeInteger(value) || source.length > LONGEST_INT64 ? value : BigInt(source);
  }
  return Number.isSafeInteger(value) && !spellsInteger(source) ? Number.NaN : value;
};

/**
 * In the place of each number that the parser may round stands, while it parses, its index and a half: every other number
 * is an integer. A reviver, which could see how a number is spelled, makes parsing 19 times slower.
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

/** Puts the numbers back. */
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
    // To write to a key that is a number costs many times what reading it does.
    if (restored !== field) fields[name] = restored;
  }
  return fields;
};

/** JSON that is more than its reader takes; the message is the end of a sentence about it. */
export class ExcessiveJson extends Error {}

const NO_BOUNDS: JsonBounds = {
  depth: Infinity,
  values: Infinity,
  escapes: Infinity,
  digits: Infinity,
  doubtful: Infinity,
};

/** Reads JSON text. Throws a SyntaxError if it is none, and before anything is made of it if it is beyond the bounds. */
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

/** JSON that was stored, to be written once more as part of an answer, with all its digits. */
export const parseJsonForOutput = (text: string): unknown =>
  JSON.parse(text, keepRaw as Parameters<typeof JSON.parse>[1]);

/** An integer as `JSON.stringify` has to be given it to write its digits. */
export const jsonInteger = (value: bigint): number | RawJson => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString());
};
