import type { Categories } from '../../../cli/rows/category.ts';
import {
  columnName,
  formatOf,
  ignoredColumns,
  judgeRow,
  namesCategory,
  newCategory,
  type Row,
  readRows,
  toPet,
  withReason,
} from '../../../cli/rows/pet-rows.ts';
import { decode, placeOf, UnreadableText } from '../../../cli/rows/text-chunks.ts';
import type { Int64, NewPet } from '../../../client/src/index.ts';
import { plainDetail } from '../../data/error-message.ts';

export type ImportRow = {
  place: string;
  text: string;
  pet?: NewPet;
  faults: readonly string[];
  /** Set if the row is valid, but its category does not exist in the store yet. */
  waiting?: { category: string; pet: NewPet };
};

export type ImportText = { rows: readonly ImportRow[]; heading: string | undefined; ignored: readonly string[] };

const toImportRow = (given: Row, categories: Categories): ImportRow => {
  const { row, faults } = judgeRow(given, categories);
  const reasons = faults.map(({ field, reason }) => `${columnName(field)} ${plainDetail(reason)}`.trim());
  const shown = { place: placeOf(row), text: row.text, faults: reasons };
  if (faults.length === 0) return { ...shown, pet: toPet(row.value) };
  const category = newCategory(given, categories);
  if (category === undefined) return shown;
  const rest = judgeRow(given, [{ id: 0, name: category }]);
  return rest.faults.length > 0 ? shown : { ...shown, waiting: { category, pet: toPet(rest.row.value) } };
};

export const nameKey = (name: string): string => name.trim().toLowerCase();

export const newCategories = (rows: readonly ImportRow[]): { name: string; count: number }[] => {
  const waiting = rows.flatMap(({ waiting }) => waiting?.category ?? []);
  return [...Map.groupBy(waiting, nameKey).values()].map((names) => ({ name: names[0] ?? '', count: names.length }));
};

/** The names in `ids` must be in the form that `nameKey` returns. */
export const withCategories = (rows: readonly ImportRow[], ids: ReadonlyMap<string, Int64>): ImportRow[] =>
  rows.map(({ waiting, ...row }) => {
    const categoryId = waiting && ids.get(nameKey(waiting.category));
    return categoryId === undefined ? row : { ...row, faults: [], pet: { ...waiting?.pet, categoryId } as NewPet };
  });

async function* once<Item>(item: Item): AsyncGenerator<Item, void> {
  yield item;
}

export const readImport = async (file: File, categories: () => Promise<Categories>): Promise<ImportText> => {
  const rows: ImportRow[] = [];
  let heading: string | undefined;
  let ignored: readonly string[] = [];
  const keepHeading = (record: { text: string; fields: readonly string[] }) => {
    heading = record.text;
    ignored = ignoredColumns(record.fields);
  };
  try {
    const text = (await Array.fromAsync(decode(once(new Uint8Array(await file.arrayBuffer()))))).join('');
    for await (const some of readRows(once(text), formatOf(file.name, text), { heading: keepHeading })) {
      const known = some.some(namesCategory) ? await categories() : [];
      for (const row of some) rows.push(toImportRow(row, known));
    }
  } catch (error) {
    throw error instanceof UnreadableText ? new Error(`${file.name} ${error.message}.`) : error;
  }
  return { rows, heading, ignored };
};

/** Adds the reasons to the refused rows. If the user imports the resulting text later, the reasons are ignored. */
export const refusedText = (heading: string | undefined, rows: readonly { text: string; reason: string }[]): string =>
  [
    ...(heading === undefined ? [] : [withReason(heading, 'reason', heading)]),
    ...rows.map(({ text, reason }) => withReason(text, reason, heading)),
  ]
    .map((line) => `${line}\n`)
    .join('');
