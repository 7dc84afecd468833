import type { Petstore } from '../../client/src/index.ts';
import { writeJson } from '../../client/src/json.ts';
import { csvField } from './csv.ts';
import { type Filters, toQuery } from './filters.ts';
import { saveFile } from './save-file.ts';
import { startTask } from './tasks.ts';

const FIELDS = ['id', 'name', 'categoryId', 'status'] as const;

/** How the animals are written, by the ending of the file. */
const WRITERS = {
  csv: {
    start: `${FIELDS.join(',')}\n`,
    line: (pet: Record<(typeof FIELDS)[number], unknown>) => FIELDS.map((field) => csvField(pet[field])).join(','),
  },
  ndjson: { start: '', line: (pet: object) => writeJson(pet, true) },
};

export type ExportFormat = keyof typeof WRITERS;
export const EXPORT_FORMATS = Object.keys(WRITERS) as ExportFormat[];

/** The most that one page holds. */
const PAGE_ROWS = 100;

/** Writes every animal that the filters show into a file, also those that are not on the screen. */
export const exportPets = (
  petstore: Petstore<true>,
  filters: Filters,
  format: ExportFormat,
  total: number | undefined,
): void => {
  const { start, line } = WRITERS[format];
  void startTask({ title: `Export pets.${format}`, verb: 'written', total }, async ({ signal, add }) => {
    const parts = [start];
    let page = await petstore.pets.list({ ...toQuery(filters), limit: PAGE_ROWS }, { signal }).page();
    for (;;) {
      parts.push(...page.items.map((pet) => `${line({ status: undefined, ...pet })}\n`));
      add(page.items.length);
      const next = await page.next();
      if (!next) break;
      page = next;
    }
    saveFile(`pets.${format}`, parts);
  });
};
