import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/log.ts';
import { type Clock, nextTurn } from '../../kernel/runtime.ts';
import { count, EXAMPLE, formatInstant, instant, objectOf } from '../../kernel/schema.ts';

const MOST = 10;

const BACKUP = {
  state: 'done',
  startedAt: EXAMPLE.time,
  finishedAt: '2026-11-20T12:00:22.000Z',
  file: 'data/backups/petstore-20261120T120000Z.db',
  bytes: 1_700_000_000,
  error: null,
};

export const backupBody = objectOf(BACKUP, 'Backup', 'A copy of the whole database, including all stores.', {
  state: z.enum(['running', 'done', 'failed']).describe('Whether the backup is running, done or failed.'),
  startedAt: instant.describe('When the backup began. The backup contains all changes made before that time.'),
  finishedAt: instant
    .nullable()
    .describe('When the backup ended; null if it is still running, or if it was made by `petstore backup`.'),
  file: z
    .string()
    .nullable()
    .describe(
      'Path of the backup on the machine where the service runs; null if the backup has not finished, or was made by ' +
        '`petstore backup`.',
    ),
  bytes: count.nullable().describe('Size of the file; null if `file` is null.'),
  error: z.string().nullable().describe('Why the backup failed, and what to do; null if it did not fail.'),
});

type Backup = Omit<BodyOf<typeof backupBody>, 'startedAt' | 'finishedAt'> & {
  requestId: string | null;
  startedAt: number;
  finishedAt: number | null;
};

const NOTHING = { finishedAt: null, file: null, bytes: null, error: null };

export type MakeBackup = (signal: AbortSignal) => Promise<{ file: string; bytes: number }>;

type Deps = {
  clock: Clock;
  log: Log;
  make: MakeBackup | undefined;
  advice: string;
  /** Returns the time of the last backup by any process, in ms since 1970. */
  lastBackupAt(): number | undefined;
  onStop(listener: () => void): void;
};

export const toBackupBody = ({ requestId: _, ...backup }: Backup): BodyOf<typeof backupBody> => ({
  ...backup,
  startedAt: formatInstant(backup.startedAt),
  finishedAt: formatInstant(backup.finishedAt),
});

export const createBackups = ({ clock, log, make, advice, lastBackupAt, onStop }: Deps) => {
  const stopped = new AbortController();
  onStop(() => stopped.abort());
  const attempts: Backup[] = [];
  let knownAt: number | undefined;

  const run = async (backup: Backup, makeIt: MakeBackup, keyId: string | null): Promise<void> => {
    const { requestId } = backup;
    try {
      // Waits for the next turn of the event loop, so that the caller's transaction can end first. Otherwise, the
      // transaction would stay open while the backup process starts.
      await nextTurn();
      const made = await makeIt(stopped.signal);
      Object.assign(backup, { ...made, state: 'done' });
      knownAt = lastBackupAt();
      log.info('backup_made', { ...made, keyId, requestId });
    } catch (error) {
      Object.assign(backup, { state: 'failed', error: error instanceof Error ? error.message : String(error) });
      log.warn('backup_failed', { error: backup.error, keyId, requestId });
    }
    backup.finishedAt = clock();
  };

  return {
    /** A transaction may run twice, so a second call for the same request returns the backup from the first call. */
    start({ keyId, requestId }: { keyId: string | null; requestId: string | null }): Backup {
      const [last] = attempts;
      if (last?.state === 'running') {
        if (last.requestId === requestId) return last;
        throw new Failure(
          'backup_in_progress',
          `A backup has been running since ${formatInstant(last.startedAt)}. Wait until it finishes; GET /backups shows its state.`,
        );
      }
      if (!make) throw new Failure('backup_not_supported', advice);
      const backup: Backup = { requestId, state: 'running', startedAt: clock(), ...NOTHING };
      attempts.unshift(backup);
      attempts.splice(MOST);
      void run(backup, make, keyId);
      return backup;
    },

    /** Also includes the last backup that the command `petstore backup` made. */
    list(): Backup[] {
      const at = lastBackupAt();
      if (at === undefined || at === knownAt) return attempts;
      const other: Backup = { requestId: null, state: 'done', startedAt: at, ...NOTHING };
      return [...attempts, other].sort((one, another) => another.startedAt - one.startedAt);
    },
  };
};

export type Backups = ReturnType<typeof createBackups>;
