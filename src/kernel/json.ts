/**
 * JSON whose integers keep all their digits. JavaScript's own numbers round beyond 2^53; here such integers are read as
 * bigint, and bigint is written as a plain JSON number.
 */

declare global {
  interface JSON {
    rawJSON(text: string): object;
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
  const digits = (whole + fraction).replace(/0+$/, '');
  const zeros = whole.length + fraction.length - digits.length;
  return digits === '' || Number(exponent) - fraction.length + zeros >= 0;
};

/** Integers keep their digits. A number that would only be rounded to an integer is made none. */
const keepDigits: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value;
  if (INTEGER.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source);
  return Number.isSafeInteger(value) && !spellsInteger(source) ? Number.NaN : value;
};

export const parseJson = (text: string): unknown =>
  DOUBTFUL.test(text) ? JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]) : JSON.parse(text);

/** An integer as `JSON.stringify` has to be given it to write its digits. */
export const jsonInteger = (value: bigint): number | object => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString());
};
