/**
 * JavaScript numbers are exact only up to 2^53, so larger integers become bigints. Node 20 has neither `JSON.rawJSON`
 * nor the reviver's `context.source`, so large integers pass through `JSON` as strings with a random prefix that nobody
 * can guess.
 */

import { randomText } from './random-text.ts';

const LONG_RUN = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
/**
 * An unsigned 64-bit integer has at most 20 digits. Longer integers stay JavaScript numbers, because converting many
 * digits to a bigint takes quadratic time.
 */
const LONG_INTEGER = /^-?\d{16,20}$/;

const isUnsafe = (value: number | bigint): boolean => !Number.isSafeInteger(Number(value));

export const parseJson = (text: string): unknown => {
  // Rejects invalid JSON first, because the regular expression `STRING_OR_NUMBER` can be very slow on invalid JSON.
  const plain: unknown = JSON.parse(text);
  if (!LONG_RUN.test(text)) return plain;
  const mark = randomText();
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    LONG_INTEGER.test(token) && isUnsafe(BigInt(token)) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
};

export const digitsOf = (value: number | bigint): string => {
  if (typeof value === 'number' && Number.isInteger(value) && isUnsafe(value)) {
    throw new TypeError(`${value} is beyond 2^53 and may already have been rounded; pass a bigint, such as 1n`);
  }
  return String(value);
};

/** Writes every bigint as plain digits. `JSON.stringify` alone would throw an error. */
export const writeJson = (value: unknown): string => {
  let mark: string | undefined;
  const text = JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'number') digitsOf(inner);
    if (typeof inner !== 'bigint') return inner;
    mark ??= randomText();
    return mark + inner;
  });
  return mark === undefined ? text : text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
};
