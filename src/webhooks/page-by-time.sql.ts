import type { Sql, SqlValue } from '../database/sql.ts';
import type { PageRequest } from '../kernel/contract.ts';

/** By the time of creation and then by id. */
export const pageByTime = async <Row>(
  sql: Sql,
  from: string,
  values: SqlValue[],
  { limit, order, after }: PageRequest<{ createdAt: number; id: string }>,
): Promise<Row[]> => {
  const value = (given: SqlValue) => `$${values.push(given)}`;
  const behind = after
    ? `AND (created_at, id) ${order === 'asc' ? '>' : '<'} (${value(after.createdAt)}, ${value(after.id)})`
    : '';
  return sql.all<Row>(`${from} ${behind} ORDER BY created_at ${order}, id ${order} LIMIT ${value(limit)}`, values);
};
