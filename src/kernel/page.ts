import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { PageRequest } from './contract.ts';
import { Failure } from './failure.ts';
import type { Answer } from './operation.ts';

const LIMIT = /^([1-9][0-9]?|100)$/;

/** The query parameters that every list takes beside its filters. */
export const PAGE_PARAMETERS = {
  limit: z
    .string()
    .regex(LIMIT, 'must be an integer from 1 to 100')
    .transform(Number)
    .default(20)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'The most rows to return.' }),
  order: z
    .enum(['asc', 'desc'], { error: 'must be asc or desc' })
    .default('asc')
    .meta({ description: 'By rising or by falling id.' }),
  cursor: z
    .string()
    .optional()
    .meta({ description: 'Where the page starts: taken from the `Link` header of the page before.' }),
};

/** What a cursor is bound to: it is good for the same list with the same filters in the same order, and no other. */
type Binding = { list: string; filters: string; order: PageRequest<unknown>['order'] };

const VERSION = 1;

const seal = (binding: Binding, position: string): number =>
  crc32(JSON.stringify([VERSION, binding.list, binding.filters, binding.order, position]));

/** An opaque, URL-safe token for "the rows behind this position". Its checksum finds damage; it holds no secret. */
export const encodeCursor = (binding: Binding, position: string): string =>
  Buffer.from(`${VERSION}.${seal(binding, position).toString(36)}.${position}`).toString('base64url');

export const decodeCursor = (binding: Binding, position: z.ZodType, cursor: string): unknown => {
  const text = Buffer.from(cursor, 'base64url').toString();
  const spelled = text.slice(text.indexOf('.', 2) + 1);
  const parsed = position.safeParse(spelled);
  if (!parsed.success || encodeCursor(binding, spelled) !== cursor) {
    throw new Failure('invalid_cursor', 'The cursor is damaged or was made for another list, filter or order.');
  }
  return parsed.data;
};

/** The answer for one page, from rows that were read with a limit of one more than asked for. */
export const answerPage = <Row>(
  rows: readonly Row[],
  page: PageRequest<unknown>,
  show: { body: (row: Row) => unknown; position: (row: Row) => string },
): Answer => {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const body = shown.map(show.body);
  return rows.length > page.limit && last !== undefined ? { body, next: show.position(last) } : { body };
};
