import { BATCH_ROWS } from '../../../cli/rows/pet-rows.ts';
import { Invalid, type NewPet, type Pet, type Petstore } from '../../../client/src/index.ts';
import type { TaskFailure, TaskProgress } from '../bulk/tasks.ts';
import { texts } from '../texts.ts';
import type { ImportRow } from './import-rows.ts';

export type ImportBatch = { pets: NewPet[]; rows: { place: string; text: string }[] };

export type RefusedRow = { place: string; text: string; reason: string };

/** Stored in session storage. The rows are in IndexedDB, because they need more space. */
export type ImportRecord = {
  id: string;
  /** The service recognizes repeated batches for one day after this time. */
  startedAt: number;
  keyId: string;
  file: string;
  /** Identifies the file's contents, so that the preview can warn if the user imports the file again. */
  contents: string;
  heading: string | undefined;
  total: number;
  batches: number;
  added: number;
  next: number;
};

type Client = Pick<Petstore, 'pets'>;

/** A batch of `BATCH_ROWS` rows is always smaller than 1 MiB, the service's limit per request. */
export const toBatches = (rows: readonly ImportRow[]): ImportBatch[] => {
  const batches: ImportBatch[] = [];
  for (const { place, text, pet } of rows) {
    if (!pet) continue;
    let last = batches.at(-1);
    if (!last || last.pets.length === BATCH_ROWS) {
      last = { pets: [], rows: [] };
      batches.push(last);
    }
    last.pets.push(pet);
    last.rows.push({ place, text });
  }
  return batches;
};

const POINTER = /^#\/pets\/(\d+)\/?(.*)$/;

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
 * If the service refuses some rows of a batch, it adds no pets from that batch, so the other rows are sent again. The
 * idempotency keys stay the same after a page reload, so that no pet is added twice.
 */
const sendBatch = async (petstore: Client, batch: ImportBatch, name: string, signal: AbortSignal) => {
  const refused: RefusedRow[] = [];
  let made: readonly Pet[] = [];
  let { pets, rows } = batch;
  for (let round = 0; pets.length > 0; round += 1) {
    try {
      made = await petstore.pets.createBatch({ pets }, { idempotencyKey: `${name}-${round}`, signal });
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
  return { added: pets.length, refused, made };
};

export const toFailure = ({ place, reason }: RefusedRow): TaskFailure => ({ what: place, reason });

export type ImportState = { record: ImportRecord; refused: readonly RefusedRow[] };

export type ImportPlace = {
  readBatch(record: ImportRecord, number: number): Promise<ImportBatch | undefined>;
  writeRefused(record: ImportRecord, rows: readonly RefusedRow[]): Promise<unknown>;
  keepImport(record: ImportRecord): void;
  noteImported(pets: readonly Pet[]): void;
};

export const sendRest = async (
  petstore: Client,
  state: ImportState,
  { readBatch, writeRefused, keepImport, noteImported }: ImportPlace,
  { signal, add }: TaskProgress,
): Promise<void> => {
  while (state.record.next < state.record.batches && !signal.aborted) {
    const { record } = state;
    const batch = await readBatch(record, record.next);
    if (!batch) throw new Error(texts.importing.rowsLost);
    const sent = await sendBatch(petstore, batch, `import-${record.id}-${record.next}`, signal);
    state.record = { ...record, next: record.next + 1, added: record.added + sent.added };
    if (sent.refused.length > 0) {
      state.refused = [...state.refused, ...sent.refused];
      await writeRefused(state.record, state.refused);
    }
    keepImport(state.record);
    noteImported(sent.made);
    add(sent.added, sent.refused.map(toFailure));
  }
};
