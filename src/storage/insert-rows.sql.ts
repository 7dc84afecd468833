import type { Sql, SqlValue } from './sql.ts';

/** Inserting many rows with one statement saves round trips and, on SQLite, a quarter of the processor time. */
const ROWS_PER_STATEMENT = 50;

const parameters = (columns: number, rows: number): string =>
  Array.from({ length: rows }, (_, row) => {
    const numbers = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
    return `(${numbers.join(', ')})`;
  }).join(', ');

export const createInsertRows = (head: string, tail = '') => {
  const columns = head.split(',').length;
  const textFor = (count: number): string => `${head} VALUES ${parameters(columns, count)} ${tail}`;
  const one = textFor(1);
  const many = textFor(ROWS_PER_STATEMENT);

  return async (sql: Sql, rows: readonly (readonly SqlValue[])[]): Promise<void> => {
    for (let at = 0; at < rows.length; ) {
      // The remaining rows (fewer than 50) are inserted one by one, so that only two different statements are compiled.
      const count = rows.length - at >= ROWS_PER_STATEMENT ? ROWS_PER_STATEMENT : 1;
      const inserted = sql.run(count === 1 ? one : many, rows.slice(at, at + count).flat());
      if (inserted instanceof Promise) await inserted;
      at += count;
    }
  };
};
