import { LONGEST_ROW, type Piece, UnreadableText } from './text-chunks.ts';

/** A CSV record: its raw text, its fields, and its first line number. */
export type CsvRecord = Piece & { fields: string[] };

/** Detects the separator from the first line. Spreadsheets use semicolons in some locales. */
export const separatorOf = (heading: string): string =>
  [',', ';', '\t'].toSorted((a, b) => heading.split(b).length - heading.split(a).length)[0] as string;

/** Splits a record with quotes (RFC 4180). A quote is literal in a field that does not start with one. */
const quotedFields = (text: string, separator: string): string[] => {
  const fields: string[] = [];
  let at = 0;
  while (at <= text.length) {
    let field = '';
    while (text[at] === '"') {
      const end = text.indexOf('"', at + 1);
      // No quote closes this field: the next one is in another field, as in `2" wide,"Rex`. So it opens nothing.
      if (end < 0) break;
      field += text.slice(at + 1, end);
      at = end + 1;
      // A doubled quote is a literal quote.
      if (text[at] === '"') field += '"';
    }
    const end = text.indexOf(separator, at);
    fields.push(field + text.slice(at, end < 0 ? undefined : end));
    at = end < 0 ? text.length + 1 : end + separator.length;
  }
  return fields;
};

const hasOddQuotes = (text: string): boolean => text.includes('"') && text.split('"').length % 2 === 0;

/** Joins the lines of a record; undefined while a quote is open. Each line is scanned once. */
const createJoiner = () => {
  let open: { texts: string[]; line: number; length: number } | undefined;
  return {
    add({ text, line }: Piece): Piece | undefined {
      const isTurned = hasOddQuotes(text);
      if (!open) {
        if (!isTurned) return { text, line };
        open = { texts: [text], line, length: text.length };
        return undefined;
      }
      open.texts.push(text);
      open.length += text.length + 1;
      if (!isTurned && open.length <= LONGEST_ROW) return undefined;
      if (!isTurned) this.end();
      const whole = { text: open.texts.join('\n'), line: open.line };
      open = undefined;
      return whole;
    },
    end(): void {
      if (open) throw new UnreadableText(`has a quote that is never closed: line ${open.line}`);
    },
  };
};

/** Yields the records of a CSV file, in batches. A quoted field may span lines. Empty lines are skipped. */
export async function* readRecords(lines: AsyncIterable<Piece[]>): AsyncGenerator<CsvRecord[], void> {
  let separator: string | undefined;
  const joiner = createJoiner();
  for await (const some of lines) {
    const records: CsvRecord[] = [];
    for (const piece of some) {
      const whole = joiner.add(piece);
      if (!whole || whole.text === '') continue;
      separator ??= separatorOf(whole.text);
      const hasQuotes = whole.text.includes('"');
      records.push({ ...whole, fields: hasQuotes ? quotedFields(whole.text, separator) : whole.text.split(separator) });
    }
    yield records;
  }
  joiner.end();
}

/** Formats a value as a field, quoted if necessary. */
export const csvField = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Text that a spreadsheet may run as a formula (OWASP, CSV Injection), escaped or not. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Makes a field safe for spreadsheets: an apostrophe turns a formula into text. `unescapeFormula` removes it. */
export const spreadsheetField = (value: unknown): string =>
  csvField(typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value);

/** Reverses `spreadsheetField`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
