import type { Petstore } from '../../../client/src/index.ts';
import { randomText } from '../../../client/src/random-text.ts';
import { sayError } from '../../kit/overlay/toasts.tsx';
import { startTask, tasks } from '../bulk/tasks.ts';
import { texts } from '../texts.ts';
import { type ImportRecord, type ImportState, sendRest, toBatches, toFailure } from './import-batches.ts';
import { type ImportText, refusedText } from './import-rows.ts';
import {
  forgetImport,
  keepImport,
  keptImport,
  readBatch,
  readRefused,
  writeBatches,
  writeRefused,
} from './import-store.ts';
import { beginImport, endImport, noteImported } from './own-import.ts';

type Client = Petstore;

export type ImportFile = { file: string; contents: string; text: ImportText };

const run = async (petstore: Client, started: ImportRecord): Promise<void> => {
  const state: ImportState = { record: started, refused: await readRefused(started) };
  beginImport();
  const [, stem, ending] = /^(.*?)(\.\w+)?$/s.exec(started.file) ?? [];
  await startTask(
    {
      title: texts.importing.title(started.file),
      verb: texts.importing.added,
      total: started.total,
      done: started.added,
      failed: state.refused.map(toFailure),
      failedFile: () => ({
        name: `${stem}.rejected${started.heading === undefined ? '.ndjson' : (ending ?? '.csv')}`,
        text: refusedText(started.heading, state.refused),
      }),
      resume: () => void run(petstore, state.record).catch(sayError),
      onDismiss: () => void forgetImport(state.record).catch(sayError),
    },
    (progress) => sendRest(petstore, state, { readBatch, writeRefused, keepImport, noteImported }, progress),
  );
  endImport();
};

/** Saves all rows before sending the first batch, so that the import can continue after a page reload. */
export const startImport = async (
  petstore: Client,
  keyId: string,
  { file, contents, text: { rows, heading } }: ImportFile,
) => {
  const batches = toBatches(rows);
  const record: ImportRecord = {
    id: randomText(),
    startedAt: Date.now(),
    keyId,
    file,
    contents,
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
