import { countEvents } from './count-events.ts';
import { getEvent } from './get-event.ts';
import { listAudit } from './list-audit.ts';
import { listEvents } from './list-events.ts';
import { listPetHistory } from './list-pet-history.ts';
import { streamEvents } from './stream-events.ts';

export const eventOperations = [listPetHistory, listEvents, countEvents, streamEvents, getEvent, listAudit];
