import { causeOf } from '../unusable.ts';
import { connectSqlite, isUnsynced, type SqliteConnection } from './connection.ts';
import { isOutOfSpace } from './space.ts';

/** Runs in a thread of its own, so that it imports next to nothing. */
declare const self: Worker;

let connection: SqliteConnection | undefined;

self.onmessage = ({ data }: MessageEvent<{ path: string } | 'close'>) => {
  try {
    if (data === 'close') connection?.close();
    else connection ??= connectSqlite(data.path);
    self.postMessage(data === 'close' ? {} : connection?.one('PRAGMA wal_checkpoint(PASSIVE)', []));
  } catch (error) {
    const isFull = data !== 'close' && isOutOfSpace(error, data.path);
    self.postMessage({ error: String(causeOf(error)), isFull, isUnsynced: isUnsynced(error) && !isFull });
  }
};
