/**
 * JSON whose integers are never rounded. JavaScript's numbers are exact up to 2^53; what lies beyond is read and written
 * as a bigint. Node 20 has neither `JSON.rawJSON` nor the reviver's `context.source`: digits travel through the parser
 * as strings behind a mark that nobody can know.
 */

import { PetstoreError } from './errors.ts';
import { randomText } from './random-text.ts';

const LONG_RUN = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const LONG_INTEGER = /^-?\d{16,}$/;

const isUnsafe = (value: number | bigint): boolean => !Number.isSafeInteger(Number(value));

const tooLarge = (digits: string): PetstoreError =>
  new PetstoreError(
    `${digits} is beyond 2^53, where numbers are rounded: create the client with { bigint: true } to read it as a bigint`,
    { code: 'unsafe_integer' },
  );

/** What the text says. An integer beyond 2^53 is a bigint if that is wanted, and else an error. */
export const parseJson = (text: string, bigint: boolean): unknown => {
  // First of all it must be JSON: in other text the search for strings could take very long.
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

/** An integer in a path or a query, or as it is to stand in a body. */
export const digitsOf = (value: number | bigint): string => {
  if (typeof value === 'number' && Number.isInteger(value) && isUnsafe(value)) {
    throw new TypeError(`${value} is beyond 2^53 and may have been rounded already: give it as a bigint, such as 1n`);
  }
  return String(value);
};

/** The body as text, every bigint as plain digits. */
export const writeJson = (body: unknown, bigint: boolean): string => {
  let mark: string | undefined;
  const text = JSON.stringify(body, (_, value) => {
    if (typeof value === 'number') digitsOf(value);
    if (typeof value !== 'bigint') return value;
    // The service would answer with the same number, which this client could not read.
    if (!bigint && isUnsafe(value)) throw tooLarge(String(value));
    mark ??= randomText();
    return mark + value;
  });
  return mark === undefined ? text : text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
};
