import { appendFileSync, writeFileSync } from 'node:fs';
import { BadUsage } from '../args/read-arguments.ts';
import { IMPORT } from '../messages.ts';
import { toJsonLine } from '../output/show-answer.ts';
import type { Judged } from './check-pets.ts';
import { type CsvRecord, csvField, separatorOf } from './csv.ts';
import type { Format } from './pet-rows.ts';

/** Maximum rows in memory before they are written. */
const HELD = 1000;

/** Rejected rows of `pets.csv` go to `pets.rejected.csv`. */
export const rejectFileOf = (file: string, format: Format): string => {
  const name = file === '-' ? 'standard-input' : file.replace(/\.\w+$/, '');
  return `${name}.rejected.${format === 'csv' ? 'csv' : 'ndjson'}`;
};

const reasonOf = ({ faults }: Judged): string =>
  faults.map(({ field, reason }) => `${field} ${reason}`.trim()).join('; ');

const jsonLine = (bad: Judged): string => {
  const { value, text } = bad.row;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return toJsonLine(isObject ? { ...value, reason: reasonOf(bad) } : { row: text, reason: reasonOf(bad) });
};

/**
 * Writes rejected rows unchanged, each followed by its reason. An import of the corrected file ignores the reason
 * column or field.
 */
export const createRejects = (file: string, heading: CsvRecord | undefined) => {
  let held: string[] = [];
  const separator = heading ? separatorOf(heading.text) : '';
  const write = () => {
    if (held.length > 0) appendFileSync(file, `${held.join('\n')}\n`);
    held = [];
  };
  try {
    writeFileSync(file, heading ? `${heading.text}${separator}reason\n` : '');
  } catch (error) {
    throw new BadUsage(IMPORT.cannotWriteRejected(file, error));
  }
  return {
    add(bad: Judged): void {
      held.push(heading ? `${bad.row.text}${separator}${csvField(reasonOf(bad))}` : jsonLine(bad));
      if (held.length >= HELD) write();
    },
    end: write,
  };
};
