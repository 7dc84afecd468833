import type { Key } from '../../../client/src/index.ts';
import type { ImportBatch, ImportRecord, RefusedRow } from './import-batches.ts';

const PLACE = 'petstore-import';
const DAY_MS = 86_400_000;

const FILES = 'petstore-imported-files';
const MAX_FILES = 100;

const importedFiles = (): Record<string, number> => JSON.parse(localStorage.getItem(FILES) ?? '{}');

const noteFile = ({ contents, startedAt }: ImportRecord): void => {
  const files = Object.entries({ ...importedFiles(), [contents]: startedAt }).slice(-MAX_FILES);
  localStorage.setItem(FILES, JSON.stringify(Object.fromEntries(files)));
};

/** When this browser last imported a file with these contents, in ms since 1970. */
export const importedAt = (contents: string): number | undefined => importedFiles()[contents];

/**
 * Identifies a file in a store by a hash of its contents (FNV-1a) and its size. The browser's own hash functions work
 * only on https pages.
 */
export const contentsOf = (storeId: Key['storeId'], bytes: Uint8Array): string => {
  let hash = 2_166_136_261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16_777_619);
  return `${storeId} ${hash} ${bytes.length}`;
};

export const keptImport = (): ImportRecord | undefined => {
  const text = sessionStorage.getItem(PLACE);
  return text === null ? undefined : (JSON.parse(text) as ImportRecord);
};
export const keepImport = (record: ImportRecord): void => {
  sessionStorage.setItem(PLACE, JSON.stringify(record));
  if (record.added > 0) noteFile(record);
};

const settle = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const ROWS = 'rows';

const open = (): Promise<IDBDatabase> => {
  const request = indexedDB.open('petstore-console', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
  return settle(request);
};

const inStore = async <Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> => {
  const database = await open();
  try {
    return await settle(act(database.transaction(ROWS, mode).objectStore(ROWS)));
  } finally {
    database.close();
  }
};

/** Each IndexedDB key begins with the start time of its import, so that old data from closed tabs can be deleted. */
const place = ({ startedAt, id }: ImportRecord, part: number) => [startedAt, id, part];
const REFUSED = -1;

export const readBatch = (record: ImportRecord, number: number): Promise<ImportBatch | undefined> =>
  inStore('readonly', (store) => store.get(place(record, number)));

export const readRefused = async (record: ImportRecord): Promise<RefusedRow[]> =>
  (await inStore('readonly', (store) => store.get(place(record, REFUSED)))) ?? [];

export const writeRefused = (record: ImportRecord, rows: readonly RefusedRow[]): Promise<unknown> =>
  inStore('readwrite', (store) => store.put(rows, place(record, REFUSED)));

export const writeBatches = async (record: ImportRecord, batches: readonly ImportBatch[]): Promise<void> => {
  await inStore('readwrite', (store) => store.delete(IDBKeyRange.upperBound([record.startedAt - DAY_MS])));
  await inStore('readwrite', (store) => {
    for (const [number, batch] of batches.entries()) store.put(batch, place(record, number));
    return store.count();
  });
};

export const forgetImport = async (record: ImportRecord): Promise<void> => {
  sessionStorage.removeItem(PLACE);
  const all = IDBKeyRange.bound(place(record, REFUSED), place(record, record.batches));
  await inStore('readwrite', (store) => store.delete(all));
};
