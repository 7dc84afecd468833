import { createBackup, listBackups } from './create-backup.ts';
import { getHealthSeries, getService } from './get-health.ts';

export const healthOperations = [getHealthSeries, getService, listBackups, createBackup];
