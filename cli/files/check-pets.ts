import { createSha256 } from '../../src/kernel/builtins.ts';
import type { Categories } from '../rows/category.ts';
import type { CsvRecord } from '../rows/csv.ts';
import { type FieldFault, type Format, type Judged, judgeRow, namesCategory, readRows } from '../rows/pet-rows.ts';
import { placeOf } from '../rows/text-chunks.ts';
import { readChunks } from './import-file.ts';

export type Fault = FieldFault & { place: string };

export type Source = {
  path: string;
  format: Format;
  isRaw: boolean;
  categories(): Promise<Categories>;
};

export async function* judgePets(
  { path, format, isRaw, categories }: Source,
  seen: (bytes: Uint8Array) => void = () => {},
  heading: (record: CsvRecord) => void = () => {},
): AsyncGenerator<Judged[], void> {
  for await (const rows of readRows(readChunks(path, seen), format, { isRaw, heading })) {
    const known = rows.some(namesCategory) ? await categories() : [];
    yield rows.map((row) => judgeRow(row, known));
  }
}

const MAX_SHOWN = 20;

export type Checked = {
  rows: number;
  good: number;
  faults: Fault[];
  /** Hash of the file's bytes. Idempotency keys contain this hash, so that a repeated import adds no pet twice. */
  digest: string;
  heading: string | undefined;
};

export const checkPets = async (source: Source): Promise<Checked> => {
  const hash = createSha256();
  const checked: Omit<Checked, 'digest'> = { rows: 0, good: 0, faults: [], heading: undefined };
  const keepHeading = ({ text }: CsvRecord) => {
    checked.heading = text;
  };
  for await (const judged of judgePets(source, (bytes) => hash.update(bytes), keepHeading)) {
    checked.rows += judged.length;
    for (const { row, faults } of judged) {
      if (faults.length === 0) checked.good += 1;
      else if (checked.faults.length < MAX_SHOWN)
        checked.faults.push(...faults.map((fault) => ({ ...fault, place: placeOf(row) })));
    }
  }
  return { ...checked, digest: hash.digest('hex') };
};
