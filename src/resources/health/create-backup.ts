import { reads, writes } from '../../kernel/operation.ts';
import { type Backups, toBackupBody } from './backups.ts';
import { createBackupContract, listBackupsContract } from './health.contracts.ts';

export const createBackup = writes(
  createBackupContract,
  async (_: unknown, _input, { keyId, requestId }, { backups }: { backups: Pick<Backups, 'start'> }) => ({
    body: toBackupBody(backups.start({ keyId, requestId })),
  }),
);

export const listBackups = reads(
  listBackupsContract,
  (_: unknown, _input, _call, { backups }: { backups: Pick<Backups, 'list'> }) => ({
    body: backups.list().map(toBackupBody),
  }),
);
