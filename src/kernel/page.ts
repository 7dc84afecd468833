import { z } from 'zod';
import type { PageRequest } from './contract.ts';

const LIMIT = /^([1-9][0-9]?|100)$/;

export const PAGE_PARAMETERS = {
  limit: z.string().regex(LIMIT, 'must be an integer from 1 to 100').transform(Number).default(20).meta({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'Maximum number of items to return.',
  }),
  order: z
    .enum(['asc', 'desc'], { error: 'must be asc or desc' })
    .default('asc')
    .describe('Sort order: ascending (`asc`) or descending (`desc`).'),
  cursor: z
    .string()
    .optional()
    .meta({
      // Used only in the OpenAPI document. `decodeCursor` rejects invalid cursors with a separate error code.
      pattern: '^[A-Za-z0-9_-]+$',
      description:
        'Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and ' +
        'sort order.',
    }),
};

/** Query `limit + 1` rows and pass them as `rows`: the extra row shows that there is another page. */
export const answerPage = <Row, Body>(
  rows: readonly Row[],
  page: PageRequest<unknown>,
  show: { body: (row: Row) => Body; position: (row: Row) => string },
): { body: readonly Body[]; next?: string } => {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const body = shown.map(show.body);
  return rows.length > page.limit && last !== undefined ? { body, next: show.position(last) } : { body };
};

export type TimePosition = { createdAt: number; id: string };

export const timePosition = z
  .string()
  .regex(/^\d{1,16}\.\w{1,64}$/)
  .transform((text): TimePosition => {
    const dot = text.indexOf('.');
    return { createdAt: Number(text.slice(0, dot)), id: text.slice(dot + 1) };
  });

export const formatTimePosition = ({ createdAt, id }: TimePosition): string => `${createdAt}.${id}`;
