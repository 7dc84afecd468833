import { findFaults, formatOf, type Row, readRows, toPet, withReason } from '../../../cli/rows/pet-rows.ts';
import { UnreadableText } from '../../../cli/rows/text-chunks.ts';
import type { NewPet } from '../../../client/src/index.ts';
import { type Categories, readCategory } from '../category.ts';
import { texts } from '../texts.ts';

/** One input row: its pet, or its faults. */
export type ImportRow = { line: number; text: string; pet?: NewPet; faults: readonly string[] };

/** The parsed input. `heading` is the first line of CSV text, for the file of refused rows. */
export type ImportText = { rows: readonly ImportRow[]; heading: string | undefined };

/** The category that a row refers to by id or name. */
const meantCategory = (value: unknown, categories: Categories): bigint | undefined => {
  const { categoryId } = (value ?? {}) as { categoryId?: unknown };
  return ['string', 'number', 'bigint'].includes(typeof categoryId)
    ? readCategory(categories, String(categoryId))
    : undefined;
};

/** Checks a row, so that faults are visible before anything is sent. */
const judge = ({ line, text, value, fault }: Row, categories: Categories): ImportRow => {
  const categoryId = meantCategory(value, categories);
  const meant = categoryId === undefined ? value : { ...(value as object), categoryId };
  const faults = findFaults({ value: meant, ...(fault ? { fault } : {}) }).map(({ field, reason }) =>
    field === 'categoryId' && reason !== 'is required'
      ? `categoryId ${texts.category.unknown}`
      : `${field} ${reason}`.trim(),
  );
  return faults.length > 0 ? { line, text, faults } : { line, text, pet: toPet(meant), faults };
};

async function* once(text: string): AsyncGenerator<string, void> {
  yield text;
}

/** Parses a JSON array, one JSON object per line, or CSV with a header line. */
export const readImport = async (file: string, given: string, categories: Categories): Promise<ImportText> => {
  const plain = given.replace(/^\uFEFF/, '');
  // Old spreadsheets end lines with a carriage return alone.
  const text = plain.includes('\n') ? plain : plain.replaceAll('\r', '\n');
  const rows: ImportRow[] = [];
  let heading: string | undefined;
  const keepHeading = (record: { text: string }) => {
    heading = record.text;
  };
  try {
    for await (const some of readRows(once(text), formatOf('', text), { heading: keepHeading })) {
      for (const row of some) rows.push(judge(row, categories));
    }
  } catch (error) {
    throw error instanceof UnreadableText ? new Error(`${file} ${error.message}.`) : error;
  }
  return { rows, heading };
};

/** The refused rows as they were, each with a reason that a later import ignores. */
export const refusedText = (heading: string | undefined, rows: readonly { text: string; reason: string }[]): string =>
  [
    ...(heading === undefined ? [] : [withReason(heading, 'reason', heading)]),
    ...rows.map(({ text, reason }) => withReason(text, reason, heading)),
  ]
    .map((line) => `${line}\n`)
    .join('');
