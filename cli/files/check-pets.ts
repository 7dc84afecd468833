import type { z } from 'zod';
import { createSha256 } from '../../src/kernel/builtins.ts';
import { readSchema } from '../args/flag.ts';
import type { CsvRecord } from './csv.ts';
import { type Format, type Row, readRows } from './pet-rows.ts';
import { readChunks } from './text-chunks.ts';

export type Fault = { line: number; field: string; reason: string };

/** A file of pets, and the rules to check them by. */
export type Source = { path: string; format: Format; schema: z.ZodObject; isRaw: boolean };

/** All fields of a pet, and the required ones. */
const fieldsOf = (schema: z.ZodObject) => {
  const { properties = {}, required = [] } = readSchema(schema, 'input').root;
  return { fields: Object.keys(properties), required };
};

/** Checks a row by the service's own rules. */
const faultsOf = ({ line, value, fault }: Row, schema: z.ZodObject): Fault[] => {
  if (fault) return [{ line, field: '', reason: fault }];
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => ({ line, field: path.join('.'), reason: message }));
};

export type Judged = { row: Row; faults: Fault[] };

/** Yields every row with its faults, in batches. */
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

/** Maximum faults that are listed one by one. */
const TOLD = 20;

export type Checked = {
  rows: number;
  good: number;
  /** The first faults. */
  faults: Fault[];
  /** Digest of the file's bytes. It identifies the import, so that the same file is not imported twice. */
  digest: string;
  heading: CsvRecord | undefined;
};

/** Reads the whole file, and sends nothing. */
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
