import { listAudit } from './list-audit.ts';

export const eventOperations = [listAudit];
