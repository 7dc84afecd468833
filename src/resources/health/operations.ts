import { reads, writes } from '../../kernel/operation.ts';
import { type Backups, toBackupBody } from './backups.ts';
import {
  createBackupContract,
  getHealthSeriesContract,
  getServiceContract,
  listBackupsContract,
} from './health.contracts.ts';
import type { HealthSeries } from './series.ts';
import type { ServiceFacts } from './service.ts';

type Deps = { healthSeries: Pick<HealthSeries, 'since'>; facts: ServiceFacts; backups: Backups };

const getHealthSeries = reads(getHealthSeriesContract, (_: unknown, { query }, _call, { healthSeries }: Deps) => ({
  body: healthSeries.since(query.since ?? Number.NEGATIVE_INFINITY),
}));

const getService = reads(getServiceContract, (_: unknown, _input, _call, { facts }: Deps) => ({ body: facts }));

const listBackups = reads(listBackupsContract, (_: unknown, _input, _call, { backups }: Deps) => ({
  body: backups.list().map(toBackupBody),
}));

const createBackup = writes(createBackupContract, async (_: unknown, _input, { keyId, requestId }, deps: Deps) => ({
  body: toBackupBody(deps.backups.start({ keyId, requestId })),
}));

export const healthOperations = [getHealthSeries, getService, listBackups, createBackup];
