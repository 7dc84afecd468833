import { Invalid, type Petstore } from '../../../client/src/index.ts';
import { randomText } from '../../../client/src/random-text.ts';
import { sayError } from '../../kit/toasts.tsx';
import { startTask, type TaskFailure, type TaskProgress, tasks } from '../tasks.ts';
import { texts } from '../texts.ts';
import { type ImportRow, type ImportText, refusedText } from './import-rows.ts';
import {
  forgetImport,
  type ImportBatch,
  type ImportRecord,
  keepImport,
  keptImport,
  type RefusedRow,
  readBatch,
  readRefused,
  writeBatches,
  writeRefused,
} from './import-store.ts';

type Client = Petstore;

/** Limits of one request. */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 1_000_000;

/** Upper bound of a row's size in JSON, because a character takes at most six bytes. */
const maxBytes = (name: string): number => name.length * 6 + 100;

const toBatches = (rows: readonly ImportRow[]): ImportBatch[] => {
  const batches: ImportBatch[] = [];
  let bytes = BATCH_BYTES;
  for (const { place, text, pet } of rows) {
    if (!pet) continue;
    bytes += maxBytes(pet.name);
    const last = batches.at(-1);
    if (last && bytes <= BATCH_BYTES && last.pets.length < BATCH_ROWS) {
      last.pets.push(pet);
      last.rows.push({ place, text });
    } else {
      batches.push({ pets: [pet], rows: [{ place, text }] });
      bytes = maxBytes(pet.name);
    }
  }
  return batches;
};

const POINTER = /^#\/pets\/(\d+)\/?(.*)$/;

/** Rows that the service names when it refuses a batch; none if it refuses the batch as a whole. */
const namedRows = (error: unknown): Map<number, string> => {
  const named = new Map<number, string>();
  if (!(error instanceof Invalid)) return named;
  for (const { pointer = '', detail } of error.fields) {
    const [, index, field] = POINTER.exec(pointer) ?? [];
    if (index === undefined) continue;
    const reason = `${field} ${detail}`.trim();
    named.set(Number(index), [named.get(Number(index)), reason].filter(Boolean).join('; '));
  }
  return named;
};

/**
 * Sends a batch, and then again without the refused rows. Its idempotency keys are fixed, so a reload adds nothing
 * twice.
 */
const sendBatch = async (petstore: Client, batch: ImportBatch, name: string, signal: AbortSignal) => {
  const refused: RefusedRow[] = [];
  let { pets, rows } = batch;
  for (let round = 0; pets.length > 0; round += 1) {
    try {
      await petstore.pets.createBatch({ pets }, { idempotencyKey: `${name}-${round}`, signal });
      break;
    } catch (error) {
      const named = namedRows(error);
      if (named.size === 0) throw error;
      refused.push(
        ...rows.flatMap((row, index) => ({ ...row, reason: named.get(index) ?? '' })).filter(({ reason }) => reason),
      );
      pets = pets.filter((_, index) => !named.has(index));
      rows = rows.filter((_, index) => !named.has(index));
    }
  }
  return { added: pets.length, refused };
};

const toFailure = ({ place, reason }: RefusedRow): TaskFailure => ({ what: place, reason });

/** Sends the remaining batches of an import. */
const run = async (petstore: Client, started: ImportRecord): Promise<void> => {
  let record = started;
  let refused = await readRefused(record);
  const work = async ({ signal, add }: TaskProgress) => {
    while (record.next < record.batches && !signal.aborted) {
      const batch = await readBatch(record, record.next);
      if (!batch) throw new Error(texts.importing.rowsLost);
      const sent = await sendBatch(petstore, batch, `import-${record.id}-${record.next}`, signal);
      record = { ...record, next: record.next + 1, added: record.added + sent.added };
      if (sent.refused.length > 0) {
        refused = [...refused, ...sent.refused];
        await writeRefused(record, refused);
      }
      keepImport(record);
      add(sent.added, sent.refused.map(toFailure));
    }
  };
  const [, stem, ending] = /^(.*?)(\.\w+)?$/s.exec(record.file) ?? [];
  await startTask(
    {
      title: texts.importing.title(record.file),
      verb: texts.importing.added,
      total: record.total,
      done: record.added,
      failed: refused.map(toFailure),
      failedFile: () => ({
        name: `${stem}.rejected${record.heading === undefined ? '.ndjson' : (ending ?? '.csv')}`,
        text: refusedText(record.heading, refused),
      }),
      resume: () => void run(petstore, record).catch(sayError),
      onDismiss: () => void forgetImport(record).catch(sayError),
    },
    work,
  );
};

/** Saves the rows, so that the import survives a reload, then sends them. */
export const startImport = async (petstore: Client, keyId: string, file: string, { rows, heading }: ImportText) => {
  const batches = toBatches(rows);
  const record: ImportRecord = {
    id: randomText(),
    startedAt: Date.now(),
    keyId,
    file,
    heading,
    total: rows.length,
    batches: batches.length,
    added: 0,
    next: 0,
  };
  await writeBatches(record, batches);
  const wrong = rows.filter(({ pet }) => !pet);
  await writeRefused(
    record,
    wrong.map(({ place, text, faults }) => ({ place, text, reason: faults.join('; ') })),
  );
  keepImport(record);
  void run(petstore, record).catch(sayError);
};

let isResumed = false;

export const resumeImport = (petstore: Client, keyId: string): void => {
  const record = keptImport();
  if (isResumed || record?.keyId !== keyId || tasks.get().length > 0) return;
  isResumed = true;
  void run(petstore, record).catch(sayError);
};
