import type { PageRequest } from '../kernel/contract.ts';
import type { SqlValue } from './sql.ts';

type Columns = Record<string, SqlValue | undefined>;

type PageOf = {
  /** Conditions as they stand in the statement. */
  terms?: readonly string[];
  /** What these columns must hold; one that is undefined may hold anything. */
  equal?: Columns;
  /** The columns that order the rows, as an index has them, with the position to begin behind; undefined on the first page. */
  by: Columns;
};

/**
 * The conditions, the end and the values of a statement that reads one page. Values are numbered as they come, so that the
 * same question always has the same text, which engines compile once. The caller may push more values behind them.
 */
export const pageOf = ({ terms = [], equal = {}, by }: PageOf, { limit, order }: PageRequest<unknown>) => {
  const values: SqlValue[] = [];
  const all = [...terms];
  for (const column in equal) {
    const value = equal[column];
    if (value !== undefined) all.push(`${column} = $${values.push(value)}`);
  }
  const columns = Object.keys(by);
  const position = Object.values(by).flatMap((value) => (value === undefined ? [] : `$${values.push(value)}`));
  if (position.length > 0) all.push(`(${columns.join(', ')}) ${order === 'asc' ? '>' : '<'} (${position.join(', ')})`);
  return {
    where: all.length > 0 ? `WHERE ${all.join(' AND ')}` : '',
    end: `ORDER BY ${columns.map((column) => `${column} ${order}`).join(', ')} LIMIT $${values.push(limit)}`,
    values,
  };
};
