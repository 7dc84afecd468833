import { csvField, spreadsheetField } from '../../../cli/rows/csv.ts';
import { writeJson } from '../../../client/src/json.ts';

const FIELDS = ['id', 'name', 'categoryId', 'status'] as const;

type Row = Record<(typeof FIELDS)[number], unknown>;

const csvOf = (label: string, toField: (value: unknown) => string) => ({
  label,
  file: 'pets.csv',
  start: `${FIELDS.join(',')}\n`,
  line: (pet: Row) => FIELDS.map((field) => toField(pet[field])).join(','),
});

export const EXPORTS = {
  csv: csvOf('CSV', spreadsheetField),
  raw: csvOf('CSV (raw)', csvField),
  ndjson: { label: 'NDJSON', file: 'pets.ndjson', start: '', line: (pet: Row) => writeJson(pet) },
};

export type ExportFormat = keyof typeof EXPORTS;
export const EXPORT_FORMATS = Object.keys(EXPORTS) as ExportFormat[];
