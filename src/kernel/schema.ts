import { z } from 'zod';
import type { RawJson } from './json.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

const isJsonInt64 = (value: unknown): boolean =>
  typeof value === 'bigint' ? value >= MIN && value <= MAX : Number.isSafeInteger(value);

/** Accepts both numbers and bigints, because `kernel/json` returns a bigint only for integers beyond 2^53. */
export const int64 = z
  .custom<number | bigint>(isJsonInt64, {
    error: ({ input }) =>
      input === undefined
        ? 'is required'
        : 'must be an integer from -2^63 to 2^63-1 (write integers above 2^53 without a decimal point or exponent)',
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

/** The schema of a string that `read` converts. The string is invalid if `read` returns undefined. */
export const parsed = <Value>(
  read: (text: string) => Value | undefined,
  message: string | ((text: string) => string),
) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: typeof message === 'string' ? message : message(text) });
    return z.NEVER;
  });

export const int64Text = parsed(parseInt64, 'must be an integer from -2^63 to 2^63-1 in plain decimal digits').meta({
  type: 'integer',
  format: 'int64',
});

/** Does not use `toLocaleString`, which would load the tables for all languages. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

export const jsonInteger = (value: bigint): number | RawJson => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString());
};

/** The maximum length of a time, in characters. RFC 3339 sets no limit, because it allows any number of decimals. */
const LONGEST = 40;

const EARLIEST = Date.parse('0000-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

const rfc3339 = z.iso.datetime({ offset: true });

const ERROR = 'must be a time such as 2030-01-31T12:00:00Z or 2030-01-31T13:00:00+01:00';

export const instant = z.string().meta({ format: 'date-time' });

export const instantText = z
  .string({ error: ERROR })
  .max(LONGEST, { error: `must be at most ${LONGEST} characters long`, abort: true })
  .transform((text, context) => {
    const { success, data } = rfc3339.safeParse(text.toUpperCase());
    const at = success ? Date.parse(data) : Number.NaN;
    if (at >= EARLIEST && at <= LATEST) return at;
    context.addIssue({ code: 'custom', message: ERROR });
    return z.NEVER;
  })
  .meta({ format: 'date-time' });

export const formatInstant = <At extends number | null>(at: At) =>
  (at === null ? null : new Date(at).toISOString()) as At extends null ? null : string;

export const jsonObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, { error: 'must be a JSON object' });

export const nameText = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
  .check(({ value, issues }) => {
    let message: string | undefined;
    if (!value.isWellFormed()) message = 'must not contain a lone surrogate';
    else if (value.includes('\0')) message = 'must not contain U+0000';
    else if (value.trim() === '') message = 'must not be empty or only white space';
    // Counts code points, as JSON Schema does. A code point has at most two UTF-16 units, so a string of more than 510
    // units always has more than 255 code points.
    else if (value.length > 510 || (value.length > 255 && [...value].length > 255)) {
      message = 'must be at most 255 characters long';
    }
    if (message) issues.push({ code: 'custom', message, input: value });
  })
  .meta({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' });

const bases = new WeakMap<z.core.$ZodType, z.ZodObject>();

/** In the OpenAPI document, the extended schema refers to the base schema instead of repeating its fields. */
export const extend = <Shape extends z.core.$ZodShape, Fields extends z.core.$ZodLooseShape>(
  base: z.ZodObject<Shape>,
  fields: Fields,
  words: z.core.GlobalMeta,
) => {
  const schema = base.extend(fields).meta(words);
  bases.set(schema, base);
  return schema;
};

export const baseOf = (schema: z.core.$ZodType): z.ZodObject | undefined => bases.get(schema);

export const EXAMPLE = {
  petId: 1,
  orderId: 1,
  keyId: 'key_2bR9xGq0TfLm7VdYc4HnWs1K',
  webhookId: 'wh_8ZkQ3uJv5NsXb1PyD6TgMe0C',
  deliveryId: 'dlv_5HtW0oRi7EaVj2LqF9KxSz4B',
  eventId: 'evt_1CfY6mDn8UwGp3ZsJ0BvTk5Q',
  requestId: 'req_9XeA4hKt2LyRq7MbV5WcPj8G',
  time: '2026-11-20T12:00:00.000Z',
  later: '2026-11-20T13:00:00.000Z',
} as const;

export const exampleOf = (schema: z.ZodType): Record<string, unknown> =>
  (schema.meta() as { examples: [Record<string, unknown>] }).examples[0];

export const objectOf = <Shape extends z.core.$ZodLooseShape>(
  example: object,
  id: string,
  description: string,
  shape: Shape,
) => jsonObject(shape).meta({ id, description, examples: [example] });

export const listOf = <Item extends z.ZodType>(item: Item, id: string, description: string) =>
  z.array(item).meta({ id, description, examples: [[exampleOf(item)]] });
