import type { Petstore } from '../../client/src/index.ts';
import { writeJson } from '../../client/src/json.ts';
import { csvField, spreadsheetField } from './csv.ts';
import { type Filters, toQuery } from './filters.ts';
import { saveFile } from './save-file.ts';
import { startTask } from './tasks.ts';

const FIELDS = ['id', 'name', 'categoryId', 'status'] as const;

type Row = Record<(typeof FIELDS)[number], unknown>;

const csvOf = (label: string, toField: (value: unknown) => string) => ({
  label,
  file: 'pets.csv',
  start: `${FIELDS.join(',')}\n`,
  line: (pet: Row) => FIELDS.map((field) => toField(pet[field])).join(','),
});

/** How the animals can be written. */
export const EXPORTS = {
  csv: csvOf('CSV', csvField),
  spreadsheet: csvOf('CSV for a spreadsheet', spreadsheetField),
  ndjson: { label: 'NDJSON', file: 'pets.ndjson', start: '', line: (pet: Row) => writeJson(pet, true) },
};

export type ExportFormat = keyof typeof EXPORTS;
export const EXPORT_FORMATS = Object.keys(EXPORTS) as ExportFormat[];

/** The most that one page holds. */
const PAGE_ROWS = 100;

/** Writes every animal that the filters show into a file, also those that are not on the screen. */
export const exportPets = (
  petstore: Petstore<true>,
  filters: Filters,
  format: ExportFormat,
  total: number | undefined,
): void => {
  const { file, start, line } = EXPORTS[format];
  void startTask({ title: `Export ${file}`, verb: 'written', total }, async ({ signal, add }) => {
    const parts = [start];
    let page = await petstore.pets.list({ ...toQuery(filters), limit: PAGE_ROWS }, { signal }).page();
    for (;;) {
      parts.push(...page.items.map((pet) => `${line({ status: undefined, ...pet })}\n`));
      add(page.items.length);
      const next = await page.next();
      if (!next) break;
      page = next;
    }
    saveFile(file, parts);
  });
};
