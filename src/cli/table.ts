const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cell).join(' ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${cell(inner)}`)
      .join(' ');
  return String(value);
};

const align = (rows: readonly string[][]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** A list as columns, a single thing as one line per field. */
export const showTable = (value: unknown): string => {
  if (!Array.isArray(value)) return align(Object.entries(value as object).map(([name, inner]) => [name, cell(inner)]));
  if (value.length === 0) return 'none';
  const names = Object.keys(value[0] as object);
  return align([names, ...value.map((row) => names.map((name) => cell((row as Record<string, unknown>)[name])))]);
};
