/**
 * Reads and writes JSON without rounding integers. JavaScript numbers are exact up to 2^53; larger integers become
 * bigints. Node 20 has neither `JSON.rawJSON` nor the reviver's `context.source`. So digits pass through the parser as
 * strings after an unguessable mark.
 */

import { PetstoreError } from './errors.ts';
import { randomText } from './random-text.ts';

const LONG_RUN = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const LONG_INTEGER = /^-?\d{16,}$/;

const isUnsafe = (value: number | bigint): boolean => !Number.isSafeInteger(Number(value));

const tooLarge = (digits: string): PetstoreError =>
  new PetstoreError(
    `${digits} is beyond 2^53, where numbers are rounded; create the client with { bigint: true } to read it as a bigint`,
    { code: 'unsafe_integer' },
  );

/** Parses JSON. An integer beyond 2^53 becomes a bigint if `bigint` is set, and an error otherwise. */
export const parseJson = (text: string, bigint: boolean): unknown => {
  // Check first that the text is valid JSON: on other text the search for strings could take very long.
  const plain: unknown = JSON.parse(text);
  if (!LONG_RUN.test(text)) return plain;
  const mark = randomText();
  const marked = text.replace(STRING_OR_NUMBER, (token) => {
    if (!LONG_INTEGER.test(token) || !isUnsafe(BigInt(token))) return token;
    if (!bigint) throw tooLarge(token);
    return `"${mark}${token}"`;
  });
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
};

/** Formats an integer for a path, a query or a body. */
export const digitsOf = (value: number | bigint): string => {
  if (typeof value === 'number' && Number.isInteger(value) && isUnsafe(value)) {
    throw new TypeError(`${value} is beyond 2^53 and may already have been rounded; pass a bigint, such as 1n`);
  }
  return String(value);
};

/** Serializes a body, with every bigint as plain digits. */
export const writeJson = (body: unknown, bigint: boolean): string => {
  let mark: string | undefined;
  const text = JSON.stringify(body, (_, value) => {
    if (typeof value === 'number') digitsOf(value);
    if (typeof value !== 'bigint') return value;
    // The service would reply with the same number, which this client could not read.
    if (!bigint && isUnsafe(value)) throw tooLarge(String(value));
    mark ??= randomText();
    return mark + value;
  });
  return mark === undefined ? text : text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
};
