import { listAudit } from './list-audit.ts';
import { listPetHistory } from './list-pet-history.ts';

export const eventOperations = [listPetHistory, listAudit];
