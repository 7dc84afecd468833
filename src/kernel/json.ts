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

/** Only text with a run this long can hold an integer that a number would round; the reviver is many times slower. */
const LONG_DIGITS = /[0-9]{16}/;
const INTEGER = /^-?[0-9]+$/;

const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
    ? BigInt(source)
    : value;

export const parseJson = (text: string): unknown =>
  LONG_DIGITS.test(text) ? JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]) : JSON.parse(text);

/** An integer as `JSON.stringify` has to be given it to write its digits. */
export const jsonInteger = (value: bigint): number | object => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString());
};
