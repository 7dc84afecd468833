import { parseJson } from '../../src/kernel/json.ts';
import { type Categories, isCategoryName, isNamed, readCategory } from './category.ts';
import { type CsvRecord, readRecords, separatorOf } from './csv.ts';
import { csvField, unescapeFormula } from './csv-field.ts';
import { type Piece, readElements, readLines, UnreadableText } from './text-chunks.ts';

export const FORMATS = ['csv', 'ndjson', 'json'] as const;
export type Format = (typeof FORMATS)[number];

export type Row = Piece & { value: unknown; fault?: string };

/** The service accepts up to 1,000 rows per batch, but smaller batches delay other writers less. */
export const BATCH_ROWS = 500;

export type PetRow = { name: string; categoryId: number | bigint; status?: 'available' | 'pending' | 'sold' };

export type ReadOptions = {
  isRaw?: boolean;
  heading?: (record: CsvRecord) => void;
};

export const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const FIELDS = ['name', 'categoryId', 'status'] as const;
const REQUIRED = ['name', 'categoryId'] as const;
type Columns = readonly ((typeof FIELDS)[number] | undefined)[];

/** A heading may say `category`, because a row may name its category instead of giving an id. */
export const columnName = (field: string): string => (field === 'categoryId' ? 'category' : field);

const mapColumns = (heading: readonly string[]): Columns => {
  const names = heading.map(folded).map((name) => (name === 'category' ? 'categoryid' : name));
  const columns = names.map((name) => FIELDS.find((field) => folded(field) === name));
  const missing = REQUIRED.filter((field) => !columns.includes(field)).map((field) => `"${columnName(field)}"`);
  if (missing.length > 0) {
    throw new UnreadableText(`has no ${missing.join(' or ')} column; its first line must name the columns`);
  }
  const twice = columns.find((field, index) => field && columns.indexOf(field) < index);
  if (twice) throw new UnreadableText(`has two columns for ${columnName(twice)}; rename or remove one of them`);
  return columns;
};

export const ignoredColumns = (heading: readonly string[]): string[] => {
  const columns = mapColumns(heading);
  return heading.map((name) => name.trim()).filter((name, index) => name && !columns[index]);
};

const toValue = (field: string, text: string, isRaw: boolean): unknown => {
  if (field === 'name') return isRaw ? text : unescapeFormula(text);
  if (text === '') return undefined;
  if (!/^\s*-?\d{1,20}\s*$/.test(text)) return text;
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text.trim());
};

const toRow = ({ text, line, fields: cells, fault }: CsvRecord, columns: Columns, isRaw: boolean): Row => {
  if (fault) return { text, line, value: undefined, fault };
  if (cells.length !== columns.length) {
    const fields = cells.length === 1 ? '1 field' : `${cells.length} fields`;
    const fault = `has ${fields}, but the first line has ${columns.length}`;
    return { text, line, value: undefined, fault };
  }
  const value: Record<string, unknown> = {};
  for (const [index, field] of columns.entries()) if (field) value[field] = toValue(field, cells[index] ?? '', isRaw);
  return { text, line, value };
};

async function* readCsv(
  lines: AsyncIterable<Piece[]>,
  { isRaw = false, heading = () => {} }: ReadOptions,
): AsyncGenerator<Row[], void> {
  let columns: Columns | undefined;
  for await (const records of readRecords(lines)) {
    if (!columns) {
      const first = records.shift();
      if (!first) continue;
      columns = mapColumns(first.fields);
      heading(first);
    }
    const known = columns;
    yield records.map((record) => toRow(record, known, isRaw));
  }
  if (!columns) throw new UnreadableText('is empty; its first line must name the columns');
}

const fromJson = (piece: Piece): Row => {
  try {
    return { ...piece, value: parseJson(piece.text) };
  } catch {
    return { ...piece, value: undefined, fault: 'is not valid JSON' };
  }
};

async function* fromPieces(pieces: AsyncIterable<Piece[]>): AsyncGenerator<Row[], void> {
  for await (const some of pieces) yield some.filter(({ text }) => text.trim() !== '').map(fromJson);
}

export const readRows = (chunks: AsyncIterable<string>, format: Format, options: ReadOptions = {}) => {
  if (format === 'csv') return readCsv(readLines(chunks), options);
  return fromPieces(format === 'json' ? readElements(chunks) : readLines(chunks));
};

export const namedFormat = (name: string): Format | undefined => {
  const [, extension = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  const named = { csv: 'csv', tsv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson', json: 'json' }[extension];
  return named as Format | undefined;
};

export const formatOf = (name: string, start: string): Format => {
  const found = { '[': 'json', '{': 'ndjson' }[start.trimStart()[0] ?? ''] as Format | undefined;
  return found ?? namedFormat(name) ?? 'csv';
};

export type FieldFault = { field: string; reason: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nameFault = (name: unknown): string | undefined => {
  if (name === undefined) return 'is required';
  if (typeof name !== 'string') return 'must be a string';
  if (!name.isWellFormed()) return 'must not contain a lone surrogate';
  if (name.includes('\0')) return 'must not contain U+0000';
  if (name.trim() === '') return 'must not be empty or only white space';
  return [...name].length > 255 ? 'must be at most 255 characters long' : undefined;
};

const isInt64 = (value: unknown): boolean =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);

const categoryFault = (id: unknown): string | undefined => {
  if (id === undefined) return 'is required';
  return isInt64(id) ? undefined : 'must be the name of one category, or an integer from -2^63 to 2^63-1';
};

const STATUSES: readonly unknown[] = ['available', 'pending', 'sold', undefined];

/** @internal */
export const findFaults = ({ value, fault }: Pick<Row, 'value' | 'fault'>): FieldFault[] => {
  if (fault) return [{ field: '', reason: fault }];
  if (!isObject(value)) return [{ field: '', reason: 'must be a JSON object' }];
  const faults: [field: string, reason: string | undefined][] = [
    ['name', nameFault(value.name)],
    ['categoryId', categoryFault(value.categoryId)],
    ['status', STATUSES.includes(value.status) ? undefined : 'must be one of available, pending, sold'],
  ];
  return faults.flatMap(([field, reason]) => (reason === undefined ? [] : [{ field, reason }]));
};

export type Judged = { row: Row; faults: FieldFault[] };

const categoryText = ({ value }: Row): string | undefined =>
  isObject(value) && typeof value.categoryId === 'string' ? value.categoryId : undefined;

export const namesCategory = (row: Row): boolean => {
  const text = categoryText(row);
  return text !== undefined && isCategoryName(text);
};

/** Accepts "Available" and "SOLD ", which are common in spreadsheets. An empty status means the default. */
const readStatus = (status: unknown): unknown =>
  typeof status === 'string' ? status.trim().toLowerCase() || undefined : status;

export const judgeRow = (row: Row, categories: Categories): Judged => {
  if (!isObject(row.value)) return { row, faults: findFaults(row) };
  const text = categoryText(row);
  const categoryId = (text === undefined ? undefined : readCategory(categories, text)) ?? row.value.categoryId;
  const meant = { ...row, value: { ...row.value, categoryId, status: readStatus(row.value.status) } };
  return { row: meant, faults: findFaults(meant) };
};

/** A name that several categories share is ambiguous, but it is not new. */
export const newCategory = (row: Row, categories: Categories): string | undefined => {
  const name = categoryText(row)?.trim();
  return name && isCategoryName(name) && !categories.some((category) => isNamed(category, name)) ? name : undefined;
};

export const toPet = (value: unknown): PetRow => {
  const { name, categoryId, status } = value as PetRow;
  return { name, categoryId, ...(status === undefined ? {} : { status }) };
};

export const withReason = (text: string, reason: string, heading: string | undefined): string => {
  if (heading !== undefined) return `${text}${separatorOf(heading)}${csvField(reason)}`;
  const { value } = fromJson({ text, line: 0 });
  if (!isObject(value)) return JSON.stringify({ row: text, reason });
  // Adds the reason to the JSON text itself, because parsing and formatting the text could round numbers.
  const before = text.slice(0, text.lastIndexOf('}')).trimEnd();
  return `${before}${before.endsWith('{') ? '' : ','}"reason":${JSON.stringify(reason)}}`;
};
