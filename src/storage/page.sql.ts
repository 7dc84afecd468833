import type { PageRequest } from '../kernel/contract.ts';
import type { Sql, SqlValue } from './sql.ts';

type Columns = Record<string, SqlValue | undefined>;

type PageOf = {
  terms?: readonly string[];
  equal?: Columns;
  /** The columns to sort by, in the order of the index. If they have values, the page starts after those values. */
  by: Columns;
};

/** Passes values as parameters, so that the database compiles each kind of query only once. */
export const pageOf = (
  { terms = [], equal = {}, by }: PageOf,
  { limit, order }: PageRequest<unknown>,
  values: SqlValue[] = [],
) => {
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

type FirstRows = { table: string; key: string; storeId: bigint; most: number; returning?: string };

/** Deletes up to `most` of the store's rows, in the order of `key`. */
export const deleteFirst = async <Row>(sql: Sql, { table, key, storeId, most, returning = key }: FirstRows) =>
  sql.all<Row>(
    `DELETE FROM ${table} WHERE store_id = $1 AND ${key} IN
       (SELECT ${key} FROM ${table} WHERE store_id = $1 ORDER BY ${key} LIMIT $2)
     RETURNING ${returning}`,
    [storeId, most],
  );

type Range = { from?: SqlValue | undefined; to?: SqlValue | undefined };

/**
 * On later pages, the cursor replaces one bound of the range. If that bound stayed in the query, the database could
 * start reading there instead of at the cursor, and read all earlier pages again.
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
 * Runs a separate query for each value of `column`, because this column comes before the sort columns in the indexes.
 * If the engine cannot merge the sorted results of these queries, each query is limited to one page.
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
