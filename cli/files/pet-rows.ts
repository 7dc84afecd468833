import { parseJson } from '../../src/kernel/json.ts';
import { BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import { ARGUMENTS } from '../messages.ts';
import { type CsvRecord, readRecords, unescapeFormula } from './csv.ts';
import { type Piece, readElements, readLines, UnreadableText } from './text-chunks.ts';

export const FORMATS = ['csv', 'ndjson', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** A row of a file: its value, or what is wrong with its format. */
export type Row = Piece & { value: unknown; fault?: string };

type Fields = readonly string[];

/** The allowed and required fields of a pet, and whether CSV names are kept as they are. */
export type Rules = {
  fields: Fields;
  required: Fields;
  isRaw?: boolean;
  /** Called with the first line of a CSV file. */
  heading?: (record: CsvRecord) => void;
};

/** Normalizes a column name: `categoryId`, `category_id`, `Category ID`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Maps columns to fields; undefined for columns that are not fields of a pet. */
const mapColumns = (heading: readonly string[], fields: Fields, required: Fields): (string | undefined)[] => {
  const columns = heading.map((column) => fields.find((field) => folded(field) === folded(column)));
  const missing = required.filter((field) => !columns.includes(field));
  if (missing.length > 0) {
    throw new UnreadableText(`has no column ${missing.join(' and none ')}; its first line must name the columns`);
  }
  const twice = columns.find((field, index) => field && columns.indexOf(field) < index);
  if (twice) throw new UnreadableText(`has two columns for ${twice}; rename or remove one of them`);
  return columns;
};

/** Skips empty cells. Digits become a number, unless the field is text. */
const toValue = (field: string, text: string, isRaw: boolean): unknown => {
  if (field === 'name') return isRaw ? text : unescapeFormula(text);
  if (text === '') return undefined;
  if (!/^\s*-?\d{1,20}\s*$/.test(text)) return text;
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text.trim());
};

const toRow = (
  { text, line, fields: cells }: CsvRecord,
  columns: readonly (string | undefined)[],
  isRaw: boolean,
): Row => {
  if (cells.length !== columns.length) {
    return {
      text,
      line,
      value: undefined,
      fault: `has ${cells.length} fields where the first line has ${columns.length}`,
    };
  }
  const value: Record<string, unknown> = {};
  for (const [index, field] of columns.entries()) if (field) value[field] = toValue(field, cells[index] ?? '', isRaw);
  return { text, line, value };
};

/** Yields the rows of a CSV file. Its first line names the columns. */
async function* readCsv(
  lines: AsyncIterable<Piece[]>,
  { fields, required, isRaw = false, heading = () => {} }: Rules,
): AsyncGenerator<Row[], void> {
  let columns: (string | undefined)[] | undefined;
  for await (const records of readRecords(lines)) {
    if (!columns) {
      const first = records.shift();
      if (!first) continue;
      columns = mapColumns(first.fields, fields, required);
      heading(first);
    }
    const known = columns;
    yield records.map((record) => toRow(record, known, isRaw));
  }
  if (!columns) throw new UnreadableText('is empty; its first line must name the columns');
}

const fromJson = ({ text, line }: Piece): Row => {
  try {
    return { text, line, value: parseJson(text) };
  } catch {
    return { text, line, value: undefined, fault: 'is no JSON' };
  }
};

async function* fromPieces(pieces: AsyncIterable<Piece[]>): AsyncGenerator<Row[], void> {
  for await (const some of pieces) yield some.filter(({ text }) => text.trim() !== '').map(fromJson);
}

/** Yields the rows of a text in the given format, in batches. */
export const readRows = (chunks: AsyncIterable<string>, format: Format, rules: Rules): AsyncGenerator<Row[], void> => {
  if (format === 'csv') return readCsv(readLines(chunks), rules);
  return fromPieces(format === 'json' ? readElements(chunks) : readLines(chunks));
};

/** The requested format, or the fallback. */
export const chooseFormat = (given: string | undefined, otherwise: () => Format): Format => {
  if (given === undefined) return otherwise();
  const format = FORMATS.find((one) => one === given);
  if (format) return format;
  throw new BadUsage(ARGUMENTS.unknownFormat(FORMATS, suggest(given, FORMATS)));
};

/** Detects the format from the file name, or else from the first character. */
export const formatOf = (name: string, start: string): Format => {
  const [, extension = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  const named = { csv: 'csv', tsv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson', json: 'json' }[extension];
  if (named) return named as Format;
  return ({ '[': 'json', '{': 'ndjson' }[start.trimStart()[0] ?? ''] as Format | undefined) ?? 'csv';
};
