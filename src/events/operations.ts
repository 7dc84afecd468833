import { listAudit } from './list-audit.ts';
import { listEvents } from './list-events.ts';
import { listPetHistory } from './list-pet-history.ts';
import { type StreamDeps, streamEvents } from './stream-events.ts';

export const eventOperations = (deps: StreamDeps) => [listPetHistory, listEvents, streamEvents(deps), listAudit];
