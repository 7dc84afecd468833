import { csvField, spreadsheetField } from '../../../cli/rows/csv.ts';
import type { Petstore } from '../../../client/src/index.ts';
import { writeJson } from '../../../client/src/json.ts';
import type { TaskProgress } from '../bulk/tasks.ts';
import { type Filters, toQuery } from '../filters.ts';

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

/** The service's maximum page size. */
const PAGE_ROWS = 100;

export const readParts = async (
  petstore: Pick<Petstore, 'pets'>,
  filters: Filters,
  format: ExportFormat,
  { signal, add }: TaskProgress,
): Promise<string[]> => {
  const { start, line } = EXPORTS[format];
  const parts: string[] = [start];
  let page = await petstore.pets.list({ ...toQuery(filters), limit: PAGE_ROWS }, { signal }).page();
  for (;;) {
    parts.push(...page.items.map((pet) => `${line({ status: undefined, ...pet })}\n`));
    add(page.items.length);
    const next = await page.next();
    if (!next) return parts;
    page = next;
  }
};
