import type { PageRequest } from '../kernel/contract.ts';
import type { Sql, SqlValue } from './sql.ts';

type Columns = Record<string, SqlValue | undefined>;

type PageOf = {
  terms?: readonly string[];
  equal?: Columns;
  /** The columns to sort by, in the order of the index. If they have values, the page starts after these values. */
  by: Columns;
};

/** The same query always has the same text, so the database compiles it only once. The caller may append values. */
export const pageOf = ({ terms = [], equal = {}, by }: PageOf, { limit, order }: PageRequest<unknown>) => {
  const values: SqlValue[] = [];
  let where = terms.join(' AND ');
  for (const column in equal) {
    const value = equal[column];
    if (value !== undefined) where += `${where && ' AND '}${column} = $${values.push(value)}`;
  }
  let [columns, position, end] = ['', '', ''];
  for (const column in by) {
    const value = by[column];
    end += `${end && ', '}${column} ${order}`;
    if (value === undefined) continue;
    columns += `${columns && ', '}${column}`;
    position += `${position && ', '}$${values.push(value)}`;
  }
  if (position) where += `${where && ' AND '}(${columns}) ${order === 'asc' ? '>' : '<'} (${position})`;
  return { where: where && `WHERE ${where}`, end: `ORDER BY ${end} LIMIT $${values.push(limit)}`, values };
};

type Range = { from?: SqlValue | undefined; to?: SqlValue | undefined };

/**
 * Limits the first column of the sort order: `from` is included, `to` is not. On later pages, the page's position
 * already sets one bound, so only the other bound is added. With two bounds on the same side, a database could read all
 * earlier pages again.
 */
export const inRange = (
  values: SqlValue[],
  column: string,
  { from, to }: Range,
  { order, after }: PageRequest<unknown>,
): string => {
  let text = '';
  if (from !== undefined && (!after || order === 'desc')) text += ` AND ${column} >= $${values.push(from)}`;
  if (to !== undefined && (!after || order === 'asc')) text += ` AND ${column} < $${values.push(to)}`;
  return text;
};

export type Statement = { text: string; values: SqlValue[] };
export type Select = Statement & { end: string };

/**
 * Queries each value of a column separately, so that a query for all values can use an index on that column and the
 * sort order. Some engines sort the parts instead of merging them. For these engines, each part is limited to one page.
 */
export const ofEach = (
  { mergesParts }: Pick<Sql, 'mergesParts'>,
  { text, end, values }: Select,
  column: string,
  each: readonly SqlValue[],
): Statement => {
  const parts = each.map((value) => `${text} AND ${column} = $${values.push(value)}`);
  const ended = mergesParts ? parts : parts.map((part) => `(${part} ${end})`);
  return { text: `${ended.join(' UNION ALL ')} ${end}`, values };
};
