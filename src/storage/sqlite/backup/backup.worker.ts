import { causeOf } from '../../unusable.ts';
import { connectSqlite, DamageFound } from '../connection.ts';
import { checkIntegrity } from '../integrity/check.ts';
import { type BackupFacts, writeManifest } from './manifest.ts';

declare const self: Worker;

type Order = { path: string; unfinished: string; madeAt: number };

export type BackupStep = 'checking the source' | 'copying' | 'checking the copy';
export type BackupMessage = { step: BackupStep } | { facts: BackupFacts } | { damage: string } | { error: string };

const tell = (message: BackupMessage): void => self.postMessage(message);

/** Does not block writers, but the WAL grows until the copy is finished. */
const copy = ({ path, unfinished }: Order): void => {
  using source = connectSqlite(path, undefined, 'read');
  source.run('VACUUM INTO $1', [unfinished]);
};

self.onmessage = ({ data }: MessageEvent<Order>) => {
  try {
    // VACUUM INTO rebuilds all pages and indexes, so the copy would hide any damage. That is why the source is checked.
    checkIntegrity(data.path);
    tell({ step: 'copying' });
    copy(data);
    tell({ step: 'checking the copy' });
    tell({ facts: writeManifest(data.unfinished, data.madeAt, true) });
  } catch (error) {
    tell(error instanceof DamageFound ? { damage: error.message } : { error: causeOf(error).message });
  }
};
