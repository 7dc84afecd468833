/**
 * JSON whose integers keep all their digits. JavaScript's own numbers round beyond 2^53; here such integers are read as
 * bigint, and bigint is written as a plain JSON number.
 */

/** What `JSON.stringify` writes as the text it holds. */
export type RawJson = { readonly rawJSON: string };

declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/** Only such text can hold a number that reads as another integer than it spells; the reviver is many times slower. */
const DOUBTFUL = /[0-9]{16}|[0-9][.eE]/;
const INTEGER = /^-?[0-9]+$/;
const DECIMAL = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** Whether a number with a fraction or an exponent is an integer all the same, as `1.0` and `1e2` are. */
const spellsInteger = (source: string): boolean => {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(source) ?? [];
  const digits = whole + fraction;
  let zeros = 0;
  while (zeros < digits.length && digits.at(-1 - zeros) === '0') zeros += 1;
  return zeros === digits.length || Number(exponent) - fraction.length + zeros >= 0;
};

/** Integers keep their digits. A number that would only be rounded to an integer is made none. */
const keepDigits: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value;
  if (INTEGER.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source);
  return Number.isSafeInteger(value) && !spellsInteger(source) ? Number.NaN : value;
};

/** No body of ours has more than three levels; a value that is deeper than this is an attempt on somebody's stack. */
const DEEPEST = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** Reads JSON text. Throws a SyntaxError if it is none, and a RangeError if it is nested too deeply. */
export const parseJson = (text: string): unknown => {
  const value = DOUBTFUL.test(text)
    ? JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1])
    : JSON.parse(text);
  if (text.length > DEEPEST && isDeeper(value, DEEPEST)) throw new RangeError('nested too deeply');
  return value;
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
