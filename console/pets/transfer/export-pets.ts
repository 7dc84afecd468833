import type { Categories } from '../../../cli/rows/category.ts';
import type { Petstore } from '../../../client/src/index.ts';
import { startTask } from '../bulk/tasks.ts';
import type { Filters } from '../filters.ts';
import { texts } from '../texts.ts';
import { EXPORTS, type ExportFormat, readParts } from './export-formats.ts';
import { saveFile } from './save-file.ts';

export const exportPets = (
  petstore: Petstore,
  filters: Filters,
  categories: Categories,
  format: ExportFormat,
  total: number | undefined,
): void => {
  const { file } = EXPORTS[format];
  void startTask({ title: texts.exporting.title(file), verb: texts.exporting.exported, total }, async (progress) =>
    saveFile(file, await readParts(petstore, filters, categories, format, progress)),
  );
};
