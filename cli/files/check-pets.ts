import type { z } from 'zod';
import { createSha256 } from '../../src/kernel/builtins.ts';
import { readSchema } from '../args/flag.ts';
import type { CsvRecord } from './csv.ts';
import { type Format, type Row, readRows } from './pet-rows.ts';
import { readChunks } from './text-chunks.ts';

/** What is wrong with a row, and where. */
export type Fault = { line: number; field: string; reason: string };

/** A file of animals, and by what rules they are judged. */
export type Source = { path: string; format: Format; schema: z.ZodObject; isRaw: boolean };

/** The fields of an animal, and those that it must have. */
const fieldsOf = (schema: z.ZodObject) => {
  const { properties = {}, required = [] } = readSchema(schema, 'input').root;
  return { fields: Object.keys(properties), required };
};

/** What the service would say of a row. */
const faultsOf = ({ line, value, fault }: Row, schema: z.ZodObject): Fault[] => {
  if (fault) return [{ line, field: '', reason: fault }];
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => ({ line, field: path.join('.'), reason: message }));
};

export type Judged = { row: Row; faults: Fault[] };

/** Every row of a file with what is wrong with it, many at a time. */
export async function* judgePets(
  { path, format, schema, isRaw }: Source,
  seen: (bytes: Uint8Array) => void = () => {},
  heading?: (record: CsvRecord) => void,
): AsyncGenerator<Judged[], void> {
  const rules = { ...fieldsOf(schema), isRaw, ...(heading ? { heading } : {}) };
  for await (const rows of readRows(readChunks(path, seen), format, rules)) {
    yield rows.map((row) => ({ row, faults: faultsOf(row, schema) }));
  }
}

/** So many are told one by one. */
const TOLD = 20;

export type Checked = {
  rows: number;
  good: number;
  /** The first of what is wrong. */
  faults: Fault[];
  /** Of the file's bytes: the same file is the same import. */
  digest: string;
  /** The first line of a CSV file. */
  heading: CsvRecord | undefined;
};

/** Reads a file from its beginning to its end, and sends nothing. */
export const checkPets = async (source: Source): Promise<Checked> => {
  const hash = createSha256();
  const checked: Omit<Checked, 'digest'> = { rows: 0, good: 0, faults: [], heading: undefined };
  const keepHeading = (record: CsvRecord) => {
    checked.heading = record;
  };
  for await (const judged of judgePets(source, (bytes) => hash.update(bytes), keepHeading)) {
    checked.rows += judged.length;
    for (const { faults } of judged) {
      if (faults.length === 0) checked.good += 1;
      else if (checked.faults.length < TOLD) checked.faults.push(...faults);
    }
  }
  return { ...checked, digest: hash.digest('hex') };
};
