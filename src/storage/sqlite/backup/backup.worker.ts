import { connectSqlite } from '../connection.ts';
import { findDamage } from '../integrity/check.ts';
import { writeManifest } from './manifest.ts';

/** Runs in a thread of its own: the copy is one statement, which keeps a thread for as long as it takes. */
declare const self: Worker;

type Order = { path: string; unfinished: string; madeAt: number };

/** Copies what is committed at this moment. Whoever writes is not kept from it; the log grows until the copy is done. */
const copy = ({ path, unfinished }: Order): void => {
  const source = connectSqlite(path, undefined, 'read');
  try {
    source.run('VACUUM INTO $1', [unfinished]);
  } finally {
    source.close();
  }
};

self.onmessage = ({ data }: MessageEvent<Order>) => {
  try {
    // VACUUM INTO rebuilds every page and index: damage of the source looks intact in the copy.
    const damage = findDamage(data.path);
    if (damage !== undefined) return self.postMessage({ damage });
    self.postMessage({ step: 'copying' });
    copy(data);
    self.postMessage({ step: 'checking the copy' });
    self.postMessage({ facts: writeManifest(data.unfinished, data.madeAt, true) });
  } catch (error) {
    self.postMessage({ error: String(((error as Error).cause as Error)?.message ?? (error as Error).message) });
  }
};
