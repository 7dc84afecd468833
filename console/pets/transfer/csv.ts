/** A record of a CSV text: its fields, its own text, and the line on which it begins. */
export type CsvRecord = { line: number; text: string; fields: string[] };

/** What separates fields, as the first line shows it: spreadsheets of some countries write semicolons, a copied table has tabs. */
const separatorOf = (heading: string): string =>
  [',', ';', '\t'].toSorted((a, b) => heading.split(b).length - heading.split(a).length)[0] as string;

/** No field of an animal is longer. A quote that is open for so long closes nothing: it is a character like any other. */
const LONGEST_QUOTED = 10_000;

/** Where the quote that opens at `start` closes, if what follows it ends a field. */
const closingQuote = (text: string, start: number, separator: string): number | undefined => {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0 || end - start > LONGEST_QUOTED) return undefined;
  return [separator, '\r', '\n', undefined].includes(text[end + 1]) ? end : undefined;
};

/** The records of a text (RFC 4180); empty lines are none. */
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

/** A value as one field, quoted where it has to be. */
export const csvField = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Text that a spreadsheet may run as a formula (OWASP, CSV Injection), escaped or not. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A field that is safe in a spreadsheet: an apostrophe turns a formula into text. `unescapeFormula` removes it. */
export const spreadsheetField = (value: unknown): string =>
  csvField(typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value);

/** The text as it was before `spreadsheetField` made it safe. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
