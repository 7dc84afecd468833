import { LONGEST_ROW, type Piece, UnreadableText } from './text-chunks.ts';

export type CsvRecord = Piece & { fields: string[]; fault?: string };

const STRAY_TEXT = 'has text after a closing quote; to put a quote into a quoted field, write it twice';

export const separatorOf = (heading: string): string =>
  [',', ';', '\t'].toSorted((a, b) => heading.split(b).length - heading.split(a).length)[0] as string;

// Excel may add a first line that names the separator. This line is skipped, because the header line also shows the
// separator.
const SEPARATOR_LINE = /^"?sep=[,;\t]"?$/i;

const quotedFields = (text: string, separator: string): Pick<CsvRecord, 'fields' | 'fault'> => {
  const fields: string[] = [];
  let [at, isStray] = [0, false];
  while (at <= text.length) {
    let field = '';
    const start = at;
    while (text[at] === '"') {
      const end = text.indexOf('"', at + 1);
      // If there is no closing quote, the opening quote is literal, as in the second field of `2" wide,"Rex`.
      if (end < 0) break;
      field += text.slice(at + 1, end);
      at = end + 1;
      if (text[at] === '"') field += '"';
    }
    const end = text.indexOf(separator, at);
    isStray ||= at > start && at < (end < 0 ? text.length : end);
    fields.push(field + text.slice(at, end < 0 ? undefined : end));
    at = end < 0 ? text.length + 1 : end + separator.length;
  }
  return isStray ? { fields, fault: STRAY_TEXT } : { fields };
};

const closedAt = (text: string, at: number): number => {
  for (let end = text.indexOf('"', at); end >= 0; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') return end + 1;
  }
  return -1;
};

const endsInQuotes = (text: string, separator: string, isOpen: boolean): boolean => {
  for (let at = 0; ; ) {
    const isQuoted = at === 0 && isOpen;
    if (isQuoted || text[at] === '"') at = closedAt(text, isQuoted ? at : at + 1);
    if (at < 0) return true;
    const next = text.indexOf(separator, at);
    if (next < 0) return false;
    at = next + separator.length;
  }
};

/** Joins the lines of a quoted field in linear time. `add` returns `undefined` until the quotes are closed. */
const createJoiner = () => {
  let open: { texts: string[]; line: number; length: number } | undefined;
  return {
    add({ text, line }: Piece, separator: string): Piece | undefined {
      const isOpen = endsInQuotes(text, separator, open !== undefined);
      if (!open && !isOpen) return { text, line };
      open ??= { texts: [], line, length: 0 };
      open.texts.push(text);
      open.length += text.length + 1;
      if (isOpen && open.length <= LONGEST_ROW) return undefined;
      if (isOpen) this.end();
      const whole = { text: open.texts.join('\n'), line: open.line };
      open = undefined;
      return whole;
    },
    end(): void {
      if (open) throw new UnreadableText(`has a quote in line ${open.line} that is never closed`);
    },
  };
};

export async function* readRecords(lines: AsyncIterable<Piece[]>): AsyncGenerator<CsvRecord[], void> {
  let separator: string | undefined;
  const joiner = createJoiner();
  for await (const some of lines) {
    const records: CsvRecord[] = [];
    for (const piece of some) {
      if (!separator && SEPARATOR_LINE.test(piece.text)) continue;
      separator ??= piece.text.trim() === '' ? undefined : separatorOf(piece.text);
      const whole = joiner.add(piece, separator ?? ',');
      if (!whole || !separator || whole.text.trim() === '') continue;
      const hasQuotes = whole.text.includes('"');
      const read = hasQuotes ? quotedFields(whole.text, separator) : { fields: whole.text.split(separator) };
      records.push({ ...whole, ...read });
    }
    yield records;
  }
  joiner.end();
}
