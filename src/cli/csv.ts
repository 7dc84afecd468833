import { LONGEST_ROW, type Piece, UnreadableText } from './text-chunks.ts';

/** A record of a CSV file: its text as it stands there, its fields, and the line on which it begins. */
export type CsvRecord = Piece & { fields: string[] };

/** What separates fields, as the first line shows it: spreadsheets of some countries write semicolons. */
export const separatorOf = (heading: string): string =>
  [',', ';', '\t'].toSorted((a, b) => heading.split(b).length - heading.split(a).length)[0] as string;

/** The fields of a record with quotes in it (RFC 4180). */
const quotedFields = (text: string, separator: string): string[] => {
  const fields: string[] = [];
  let at = 0;
  while (at <= text.length) {
    let field = '';
    while (text[at] === '"') {
      const end = text.indexOf('"', at + 1);
      field += text.slice(at + 1, end);
      at = end + 1;
      // Two of them are one that is part of the field.
      if (text[at] === '"') field += '"';
    }
    const end = text.indexOf(separator, at);
    fields.push(field + text.slice(at, end < 0 ? undefined : end));
    at = end < 0 ? text.length + 1 : end + separator.length;
  }
  return fields;
};

const hasOpenQuote = (text: string): boolean => (text.split('"').length - 1) % 2 === 1;

/** The records of a CSV file, many at a time; a quoted field may go over several lines, and empty lines are none. */
export async function* readRecords(lines: AsyncIterable<Piece[]>): AsyncGenerator<CsvRecord[], void> {
  let separator: string | undefined;
  let open: Piece | undefined;
  for await (const some of lines) {
    const records: CsvRecord[] = [];
    for (const { text, line } of some) {
      const whole: Piece = open ? { text: `${open.text}\n${text}`, line: open.line } : { text, line };
      open = whole.text.includes('"') && hasOpenQuote(whole.text) ? whole : undefined;
      if (open && whole.text.length > LONGEST_ROW) break;
      if (open || whole.text === '') continue;
      separator ??= separatorOf(whole.text);
      const hasQuotes = whole.text.includes('"');
      records.push({ ...whole, fields: hasQuotes ? quotedFields(whole.text, separator) : whole.text.split(separator) });
    }
    yield records;
    if (open && open.text.length > LONGEST_ROW) break;
  }
  if (open) throw new UnreadableText(`has a quote that is never closed: line ${open.line}`);
}

/** A value as one field, quoted where it has to be. */
export const csvField = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
