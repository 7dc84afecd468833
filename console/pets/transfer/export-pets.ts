import type { Petstore } from '../../../client/src/index.ts';
import { type Filters, toQuery } from '../filters.ts';
import { startTask } from '../tasks.ts';
import { texts } from '../texts.ts';
import { EXPORTS, type ExportFormat } from './export-formats.ts';
import { saveFile } from './save-file.ts';

/** The service's maximum page size, in rows. */
const PAGE_ROWS = 100;

/** Saves all pets that match the filters to a file, including pets that the table has not loaded. */
export const exportPets = (
  petstore: Petstore,
  filters: Filters,
  format: ExportFormat,
  total: number | undefined,
): void => {
  const { file, start, line } = EXPORTS[format];
  void startTask(
    { title: texts.exporting.title(file), verb: texts.exporting.exported, total },
    async ({ signal, add }) => {
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
    },
  );
};
