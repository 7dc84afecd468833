/** A CSV record: its fields, its raw text, and its first line number. */
export type CsvRecord = { line: number; text: string; fields: string[] };

/** Most frequent separator of the first line: some spreadsheets write semicolons, copied tables have tabs. */
const separatorOf = (heading: string): string =>
  [',', ';', '\t'].toSorted((a, b) => heading.split(b).length - heading.split(a).length)[0] as string;

/** Longer than any pet field. A quote left open for longer is an ordinary character. */
const LONGEST_QUOTED = 10_000;

/** Position of the quote that closes the one at `start`, if a field ends after it. */
const closingQuote = (text: string, start: number, separator: string): number | undefined => {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0 || end - start > LONGEST_QUOTED) return undefined;
  return [separator, '\r', '\n', undefined].includes(text[end + 1]) ? end : undefined;
};

/** Parses CSV (RFC 4180); skips empty lines. */
export const readCsv = (text: string): CsvRecord[] => {
  const separator = separatorOf(/^.*/.exec(text)?.[0] ?? '');
  const fieldEnd = new RegExp(`${separator}|\\r\\n|\\r|\\n|$`, 'g');
  const records: CsvRecord[] = [];
  let [at, start, line] = [0, 0, 1];
  let fields: string[] = [];
  while (at < text.length || fields.length > 0) {
    const close = text[at] === '"' ? closingQuote(text, at, separator) : undefined;
    fieldEnd.lastIndex = close === undefined ? at : close + 1;
    const { index: end = text.length, 0: mark = '' } = fieldEnd.exec(text) ?? {};
    fields.push(close === undefined ? text.slice(at, end) : text.slice(at + 1, close).replaceAll('""', '"'));
    at = end + mark.length;
    if (mark === separator) continue;
    const own = text.slice(start, end);
    if (own.trim() !== '') records.push({ line, text: own, fields });
    line += own.split(/\r\n|\r|\n/).length;
    [start, fields] = [at, []];
  }
  return records;
};

/** Formats a value as one field, quoted if necessary. */
export const csvField = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Text that a spreadsheet may run as a formula (OWASP, CSV Injection), escaped or not. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Formats a field safely for spreadsheets: an apostrophe turns a formula into text. `unescapeFormula` removes it. */
export const spreadsheetField = (value: unknown): string =>
  csvField(typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value);

/** Reverses the escaping of `spreadsheetField`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
