import type { Categories } from '../../../cli/rows/category.ts';
import {
  formatOf,
  judgeRow,
  namesCategory,
  type Row,
  readRows,
  toPet,
  withReason,
} from '../../../cli/rows/pet-rows.ts';
import { decode, placeOf, UnreadableText } from '../../../cli/rows/text-chunks.ts';
import type { NewPet } from '../../../client/src/index.ts';

export type ImportRow = { place: string; text: string; pet?: NewPet; faults: readonly string[] };

export type ImportText = { rows: readonly ImportRow[]; heading: string | undefined };

const toImportRow = (given: Row, categories: Categories): ImportRow => {
  const { row, faults } = judgeRow(given, categories);
  const { text, value } = row;
  const reasons = faults.map(({ field, reason }) => `${field} ${reason}`.trim());
  return { place: placeOf(row), text, faults: reasons, ...(faults.length > 0 ? {} : { pet: toPet(value) }) };
};

async function* once<Item>(item: Item): AsyncGenerator<Item, void> {
  yield item;
}

export const readImport = async (file: File, categories: () => Promise<Categories>): Promise<ImportText> => {
  const rows: ImportRow[] = [];
  let heading: string | undefined;
  const keepHeading = (record: { text: string }) => {
    heading = record.text;
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
  return { rows, heading };
};

/** If the user imports this text later, the reasons are ignored. */
export const refusedText = (heading: string | undefined, rows: readonly { text: string; reason: string }[]): string =>
  [
    ...(heading === undefined ? [] : [withReason(heading, 'reason', heading)]),
    ...rows.map(({ text, reason }) => withReason(text, reason, heading)),
  ]
    .map((line) => `${line}\n`)
    .join('');
