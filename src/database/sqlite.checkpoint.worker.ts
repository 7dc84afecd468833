import { Database as SqliteFile } from 'bun:sqlite';

/** Runs in a thread of its own and imports nothing of ours, so that it is there at once. */
declare const self: Worker;

let file: SqliteFile | undefined;

const checkpoint = (path: string): unknown => {
  file ??= new SqliteFile(path, { readwrite: true, strict: true });
  return file.query('PRAGMA wal_checkpoint(PASSIVE)').get();
};

self.onmessage = ({ data }: MessageEvent<{ path: string } | 'close'>) => {
  try {
    if (data === 'close') file?.close();
    self.postMessage(data === 'close' ? {} : checkpoint(data.path));
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
