import type { Sql, SqlValue } from './sql.ts';

const parameters = (columns: number, rows: number): string =>
  Array.from({ length: rows }, (_, row) => {
    const numbers = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
    return `(${numbers.join(', ')})`;
  }).join(', ');

/** Inserts rows of one form, with as few statements as the engine is best given. `head` ends where they begin. */
export const insertRows = async (
  sql: Sql,
  head: string,
  rows: readonly (readonly SqlValue[])[],
  tail = '',
): Promise<void> => {
  const columns = rows[0]?.length ?? 0;
  const textFor = (count: number): string => `${head} VALUES ${parameters(columns, count)} ${tail}`;
  const one = textFor(1);
  const many = rows.length >= sql.rowsAtOnce ? textFor(sql.rowsAtOnce) : one;
  for (let at = 0; at < rows.length; ) {
    // Those that are left are inserted one by one: there are few texts for the engine to know.
    const count = rows.length - at >= sql.rowsAtOnce ? sql.rowsAtOnce : 1;
    const inserted = sql.run(count === 1 ? one : many, rows.slice(at, at + count).flat());
    if (inserted instanceof Promise) await inserted;
    at += count;
  }
};
