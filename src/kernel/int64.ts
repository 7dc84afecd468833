import { z } from 'zod';
import type { RawJson } from './json.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

const isJsonInt64 = (value: unknown): boolean =>
  typeof value === 'bigint' ? value >= MIN && value <= MAX : Number.isSafeInteger(value);

/** Accepts numbers and bigints, because `kernel/json` returns a bigint only for integers beyond 2^53. */
export const int64 = z
  .custom<number | bigint>(isJsonInt64, {
    error: ({ input }) =>
      input === undefined
        ? 'is required'
        : 'must be an integer from -2^63 to 2^63-1 (above 2^53: without a decimal point or exponent)',
  })
  .transform(BigInt)
  .meta({ type: 'integer', format: 'int64' });

export const count = z.int().min(0).meta({ format: 'int64' });

const CANONICAL = /^(0|-?[1-9][0-9]{0,18})$/;

export const parseInt64 = (text: string): bigint | undefined => {
  if (!CANONICAL.test(text)) return undefined;
  const value = BigInt(text);
  return value >= MIN && value <= MAX ? value : undefined;
};

export const int64Text = z
  .string()
  .transform((text, context) => {
    const value = parseInt64(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: 'must be an integer from -2^63 to 2^63-1 in plain decimal digits' });
    return z.NEVER;
  })
  .meta({ type: 'integer', format: 'int64' });

/** Avoids `toLocaleString`, which loads the tables for all languages. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

export const jsonInteger = (value: bigint): number | RawJson => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString());
};
