import type { PageRequest } from '../kernel/contract.ts';
import type { AuditPosition } from './audit.ts';
import type { StoredEvent } from './event.ts';

export type EventReads = {
  /** The changes of keys and webhooks in all stores, by time, strictly behind a position. */
  listAudited(page: PageRequest<AuditPosition>): Promise<StoredEvent[]>;
  /** The changes of one animal, by sequence, strictly behind a position. */
  listOfPet(petId: bigint, page: PageRequest<bigint>): Promise<StoredEvent[]>;
};
