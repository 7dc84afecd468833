import { createBackup, listBackups } from './create-backup.ts';
import { getHealthSeries } from './get-health-series.ts';
import { getService } from './get-service.ts';

export const healthOperations = [getHealthSeries, getService, listBackups, createBackup];
