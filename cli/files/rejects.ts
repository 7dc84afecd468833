import { appendFileSync, writeFileSync } from 'node:fs';
import { inOneLine } from '../../src/kernel/log.ts';
import { BadUsage } from '../args/read-arguments.ts';
import { IMPORT } from '../messages.ts';
import { CannotWrite } from '../output/terminal.ts';
import { type Format, type Judged, withReason } from '../rows/pet-rows.ts';

const HELD = 1000;

export const rejectFileOf = (file: string, format: Format): string => {
  const name = file === '-' ? 'standard-input' : file.replace(/\.\w+$/, '');
  return `${name}.rejected.${format === 'csv' ? 'csv' : 'ndjson'}`;
};

export const createRejects = (file: string, heading: string | undefined) => {
  let held: string[] = [];
  const write = () => {
    const text = held.map((line) => `${line}\n`).join('');
    held = [];
    try {
      if (text !== '') appendFileSync(file, text);
    } catch (error) {
      throw new CannotWrite(file, error);
    }
  };
  try {
    writeFileSync(file, heading === undefined ? '' : `${withReason(heading, 'reason', heading)}\n`);
  } catch (error) {
    throw new BadUsage(IMPORT.cannotWriteRejected(file, error));
  }
  return {
    add({ row, faults }: Judged): void {
      const reason = faults.map(({ field, reason }) => `${field} ${reason}`.trim()).join('; ');
      const line = withReason(row.text, reason, heading);
      held.push(heading === undefined ? inOneLine(line) : line);
      if (held.length >= HELD) write();
    },
    end: write,
  };
};
