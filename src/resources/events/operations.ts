import { countEvents } from './count-events.ts';
import { getEvent, listAudit, listEvents } from './list-events.ts';
import { listPetHistory } from './list-pet-history.ts';
import { streamEvents } from './stream-events.ts';

export const eventOperations = [listPetHistory, listEvents, countEvents, streamEvents, getEvent, listAudit];
