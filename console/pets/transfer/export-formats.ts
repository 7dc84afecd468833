import { type Categories, readCategory } from '../../../cli/rows/category.ts';
import { csvField, spreadsheetField } from '../../../cli/rows/csv-field.ts';
import type { Pet, Petstore } from '../../../client/src/index.ts';
import { writeJson } from '../../../client/src/json.ts';
import type { TaskProgress } from '../bulk/tasks.ts';
import { type Filters, toQuery } from '../filters.ts';

type Row = Record<'id' | 'name' | 'category' | 'categoryId' | 'status', unknown>;

const csvOf = (fields: readonly (keyof Row)[], toField: (value: unknown) => string, mark = '') => ({
  file: 'pets.csv',
  start: `${mark}${fields.join(',')}\n`,
  line: (pet: Row) => fields.map((field) => toField(pet[field])).join(','),
});

/** Without this mark, Excel does not read the file as UTF-8, and shows "Müsli" as "MÃ¼sli". */
const BYTE_ORDER_MARK = '\uFEFF';

export const EXPORTS = {
  csv: csvOf(['id', 'name', 'category', 'status'], spreadsheetField, BYTE_ORDER_MARK),
  raw: csvOf(['id', 'name', 'categoryId', 'status'], csvField),
  ndjson: { file: 'pets.ndjson', start: '', line: ({ category: _, ...pet }: Row) => writeJson(pet) },
};

/** The names by which an import finds the same categories. It does not find a name that two categories share. */
const namesOf = (categories: Categories): ReadonlyMap<string, string | null | undefined> => {
  const isFound = ({ id, name }: Categories[number]) =>
    readCategory(categories, name ?? '') === BigInt(id) && spreadsheetField(name) === csvField(name);
  return new Map(categories.filter(isFound).map(({ id, name }) => [String(id), name]));
};

export type ExportFormat = keyof typeof EXPORTS;
export const EXPORT_FORMATS = Object.keys(EXPORTS) as ExportFormat[];

/** The service's maximum page size. */
const PAGE_ROWS = 100;

export const readParts = async (
  petstore: Pick<Petstore, 'pets'>,
  filters: Filters,
  categories: Categories,
  format: ExportFormat,
  { signal, add }: TaskProgress,
): Promise<string[]> => {
  const { start, line } = EXPORTS[format];
  const parts: string[] = [start];
  const names = namesOf(categories);
  const toRow = (pet: Pet): Row => {
    return { status: undefined, ...pet, category: names.get(String(pet.categoryId)) ?? pet.categoryId };
  };
  let page = await petstore.pets.list({ ...toQuery(filters), limit: PAGE_ROWS }, { signal }).page();
  for (;;) {
    parts.push(...page.items.map((pet) => `${line(toRow(pet))}\n`));
    add(page.items.length);
    const next = await page.next();
    if (!next) return parts;
    page = next;
  }
};
