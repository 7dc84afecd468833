import { causeOf } from '../unusable.ts';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { type Fault, faultOf } from './space.ts';

/** This file should import as little as possible, so that the thread starts quickly. */
declare const self: Worker;

/** `log` is the number of pages in the WAL, and `checkpointed` is how many of them are already in the database file. */
export type Progress = { log: bigint | number; checkpointed: bigint | number };
export type CheckpointReply = Progress | { error: string; fault: Fault | undefined };

let connection: SqliteConnection | undefined;

self.onmessage = ({ data }: MessageEvent<{ path: string } | 'close'>) => {
  try {
    if (data === 'close') connection?.close();
    else connection ??= connectSqlite(data.path);
    self.postMessage(data === 'close' ? {} : connection?.one('PRAGMA wal_checkpoint(PASSIVE)', []));
  } catch (error) {
    const fault = data === 'close' ? undefined : faultOf(error, data.path);
    self.postMessage({ error: String(causeOf(error)), fault });
  }
};
