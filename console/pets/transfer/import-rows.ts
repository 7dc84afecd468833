import type { NewPet } from '../../../client/src/index.ts';
import { parseJson, writeJson } from '../../../client/src/json.ts';
import { type Categories, readCategory } from '../category.ts';
import { STATUSES } from '../moves.ts';
import { texts } from '../texts.ts';
import { csvField, readCsv, unescapeFormula } from './csv.ts';

/** One input row: the pet, or its faults. */
export type ImportRow = { line: number; text: string; pet?: NewPet; faults: readonly string[] };

/** The parsed input. `heading` is the first line of a CSV text, for the file of refused rows. */
export type ImportText = { rows: readonly ImportRow[]; heading: string | undefined };

/** The input as a whole cannot be parsed. */
class Unreadable extends Error {}

type Fields = { name?: unknown; categoryId?: unknown; status?: unknown };

const nameFault = (name: unknown): string | undefined => {
  if (name === undefined) return texts.faults.required('name');
  if (typeof name !== 'string') return texts.faults.nameType;
  if (name.trim() === '') return texts.faults.nameEmpty;
  if (name.includes('\0') || !name.isWellFormed()) return texts.faults.nameCharacters;
  return [...name].length > 255 ? texts.faults.nameLength : undefined;
};

const toCategory = (given: unknown, categories: Categories): bigint | undefined =>
  typeof given === 'string' || typeof given === 'number' || typeof given === 'bigint'
    ? readCategory(categories, String(given))
    : undefined;

/** Validates a row like the service, so that faults show before anything is sent. */
const judge = (line: number, text: string, fields: Fields, categories: Categories): ImportRow => {
  const categoryId = toCategory(fields.categoryId, categories);
  const status = STATUSES.find((one) => one === fields.status);
  const faults = [
    nameFault(fields.name),
    fields.categoryId === undefined ? texts.faults.required('categoryId') : undefined,
    fields.categoryId !== undefined && categoryId === undefined
      ? texts.faults.category(texts.category.unknown)
      : undefined,
    fields.status !== undefined && !status ? texts.faults.status(STATUSES) : undefined,
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0 || categoryId === undefined) return { line, text, faults };
  return { line, text, pet: { name: fields.name as string, categoryId, ...(status ? { status } : {}) }, faults };
};

/** Accepted column names, such as `categoryId`, `category_id` and `Category`. */
const COLUMNS: Record<string, keyof Fields> = {
  name: 'name',
  categoryid: 'categoryId',
  category: 'categoryId',
  status: 'status',
};
const fieldOf = (column: string) => COLUMNS[column.toLowerCase().replaceAll(/[^a-z0-9]/g, '')];

const fromCsv = (text: string, categories: Categories): ImportText => {
  const [heading, ...records] = readCsv(text);
  if (!heading) throw new Unreadable(texts.faults.empty);
  const columns = heading.fields.map(fieldOf);
  const missing = (['name', 'categoryId'] as const).filter((field) => !columns.includes(field));
  if (missing.length > 0) {
    throw new Unreadable(texts.faults.noColumn(missing));
  }
  const rows = records.map(({ line, text: own, fields: cells }): ImportRow => {
    if (cells.length !== columns.length) {
      const fault = texts.faults.fieldCount(cells.length, columns.length);
      return { line, text: own, faults: [fault] };
    }
    const fields: Fields = {};
    for (const [index, field] of columns.entries()) {
      // Empty cells count as missing, except for names: an empty name is a fault.
      if (field === 'name') fields.name = unescapeFormula(cells[index] ?? '');
      else if (field && cells[index] !== '') fields[field] = cells[index];
    }
    return judge(line, own, fields, categories);
  });
  return { rows, heading: heading.text };
};

const fromValue = (line: number, value: unknown, categories: Categories): ImportRow => {
  const text = writeJson(value, true);
  if (typeof value !== 'object' || value === null) return { line, text, faults: [texts.faults.notObject] };
  return judge(line, text, value, categories);
};

const fromJson = (text: string, categories: Categories): ImportText => {
  let value: unknown;
  try {
    value = parseJson(text, true);
  } catch (error) {
    throw new Unreadable(texts.faults.notJson((error as Error).message));
  }
  const list = Array.isArray(value) ? value : [value];
  return { rows: list.map((one, index) => fromValue(index + 1, one, categories)), heading: undefined };
};

const fromLines = (text: string, categories: Categories): ImportText => {
  const rows = text.split(/\r?\n/).flatMap((line, index): ImportRow[] => {
    if (line.trim() === '') return [];
    try {
      return [fromValue(index + 1, parseJson(line, true), categories)];
    } catch {
      return [{ line: index + 1, text: writeJson(line, true), faults: [texts.faults.lineNotJson] }];
    }
  });
  return { rows, heading: undefined };
};

/** Parses a JSON array, one JSON object per line, or CSV with a header line. */
export const readImport = (given: string, categories: Categories): ImportText => {
  const text = given.replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new Unreadable(texts.faults.empty);
  if (/^\s*\[/.test(text)) return fromJson(text, categories);
  return /^\s*\{/.test(text) ? fromLines(text, categories) : fromCsv(text, categories);
};

/** The refused rows as they were, each with a reason that a later import ignores. */
export const refusedText = (heading: string | undefined, rows: readonly { text: string; reason: string }[]): string => {
  if (heading === undefined) return rows.map(({ text, reason }) => `${withReason(text, reason)}\n`).join('');
  const separator = /[,;\t]/.exec(heading)?.[0] ?? ',';
  const lines = rows.map(({ text, reason }) => `${text}${separator}${csvField(reason)}\n`);
  return `${heading}${separator}reason\n${lines.join('')}`;
};

const withReason = (text: string, reason: string): string => {
  const value = parseJson(text, true);
  return writeJson(typeof value === 'object' && value !== null ? { ...value, reason } : { row: value, reason }, true);
};
