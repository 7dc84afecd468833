import { visible } from './visible.ts';

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cell).join(' ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${cell(inner)}`)
      .join(' ');
  return visible(String(value));
};

/** Rows of cells as text with straight columns. */
export const alignColumns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
};

/** A list as columns, a single thing as one line per field. */
export const showTable = (value: unknown): string => {
  if (!Array.isArray(value)) {
    return alignColumns(Object.entries(value as object).map(([name, inner]) => [name, cell(inner)]));
  }
  if (value.length === 0) return 'none';
  const names = Object.keys(value[0] as object);
  const rows = value.map((row) => names.map((name) => cell((row as Record<string, unknown>)[name])));
  return alignColumns([names, ...rows]);
};
