import { contract } from '../../kernel/contract.ts';
import { EXAMPLE, instantText, listOf } from '../../kernel/schema.ts';
import { backupBody } from './backups.ts';
import { healthSeriesBody } from './series.ts';
import { serviceBody } from './service.ts';

const HEALTH = { tag: 'Health', stability: 'beta' } as const;

export const getHealthSeriesContract = contract('getHealthSeries', 'GET', '/health/series', {
  ...HEALTH,
  command: 'health series',
  summary: 'Get health figures for the last hour',
  description:
    'Returns the request rate, response times, errors, queues and memory for the last hour. There is one sample for ' +
    'every 10 seconds, kept in memory. If there are several instances, the response describes only the instance ' +
    'that answered.',
  scope: 'ops:read',
  input: {
    query: {
      since: instantText
        .optional()
        .meta({ description: 'Only samples after this time; default: all.', examples: [EXAMPLE.time] }),
    },
  },
  answer: { status: 200, description: 'The samples', body: healthSeriesBody },
});

export const getServiceContract = contract('getService', 'GET', '/health/service', {
  ...HEALTH,
  command: 'health service',
  summary: 'Get version and settings',
  description:
    'Returns the version, database engine and settings of the process that answered. Secrets are never ' +
    'shown, and URLs are shown without user names and passwords.',
  scope: 'ops:read',
  answer: { status: 200, description: 'The version and settings', body: serviceBody },
});

const backups = listOf(backupBody, 'Backups', 'Backups, newest first.');

export const listBackupsContract = contract('listBackups', 'GET', '/backups', {
  ...HEALTH,
  command: 'backups list',
  summary: 'List the latest backups',
  description:
    'Returns the latest backups, newest first. The list contains up to ten backups that were requested over HTTP since ' +
    'the service started, and the latest one made with `petstore backup`. It is empty on PostgreSQL, which has its own tools for backups.',
  scope: 'ops:read',
  answer: { status: 200, description: 'The latest backups', body: backups },
});

export const createBackupContract = contract('createBackup', 'POST', '/backups', {
  ...HEALTH,
  command: 'backups create',
  summary: 'Back up the database',
  description:
    'Starts a backup of the database. The response is sent before the backup has finished; `GET /backups` shows when it is done, or why ' +
    'it failed. The backup contains all stores, and is written to the folder `backups` next to the database file. ' +
    'The backup runs in another process, and the service stays available. Only one backup can run at a time. Old backups are not ' +
    'deleted. SQLite only. Writes no event.',
  scope: 'keys:write',
  answer: { status: 201, description: 'Backup started', body: backupBody },
  failures: ['backup_in_progress', 'backup_not_supported'],
});
